// SPDX-License-Identifier: MIT
import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore

@main
struct LiveFiles {
  static func main() async {
    do { try await run(Array(CommandLine.arguments.dropFirst())) } catch {
      print("LiveFiles: \(error)")
      exit(1)
    }
  }

  private static func run(_ arguments: [String]) async throws {
    var (folder, port, rest) = (".", 8080, arguments[...])
    while let name = rest.popFirst() {
      switch (name, rest.popFirst()) {
      case ("--folder", let value?): folder = value
      case ("--port", let value?) where UInt16(value) != nil: port = Int(value) ?? port
      default: throw Refusal(description: "usage: LiveFiles [--folder PATH] [--port N]")
      }
    }
    let files = try Files(root: folder)
    let library = Library(files: files, store: try MarkStore(at: files.root + "/.livefiles.sqlite"))
    // Each window has a connection, and half of what may be open is for files.
    let connections = sysconf(Int32(_SC_OPEN_MAX)) / 2
    let application = Application(
      router: router(library), server: .http1(configuration: patience),
      configuration: .init(
        address: .hostname("127.0.0.1", port: port),
        availableConnectionsDelegate: MaximumAvailableConnections(connections)))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await library.watch() }
      group.addTask { try await application.runService() }
      try await group.next()
      group.cancelAll()
    }
  }

  /// Connections end that send no request, or half a one, for a minute, or read nothing for half a minute.
  private static var patience: HTTP1Channel.Configuration {
    HTTP1Channel.Configuration(
      additionalChannelHandlers: [IdleStateHandler(writeTimeout: .seconds(30)), Impatience()], idleTimeout: .seconds(60)
    )
  }
}

/// Closes the connection of a reader that does not read.
private final class Impatience: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = Never

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case IdleStateHandler.IdleStateEvent.write = event { return context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }
}
