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
    var (folder, port, database, rest) = (".", 8080, String?.none, arguments[...])
    while let name = rest.popFirst() {
      switch (name, rest.popFirst()) {
      case ("--folder", let value?): folder = value
      case ("--port", let value?) where UInt16(value) != nil: port = Int(value) ?? port
      case ("--database", let value?): database = value
      default: throw Refusal(description: "usage: LiveFiles [--folder PATH] [--port N] [--database PATH]")
      }
    }
    let files = try Files(root: folder)
    // Not in the folder: that is only read.
    let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0].path
    let marks = database ?? support + "/LiveFiles" + files.root + "/marks.sqlite"
    let library = Library(files: files, store: try MarkStore(at: marks))
    // Each window has a connection, and half of what may be open is for files.
    let connections = sysconf(Int32(_SC_OPEN_MAX)) / 2
    let application = Application(
      router: router(library), server: .http1(configuration: patience),
      configuration: .init(
        address: .hostname("127.0.0.1", port: port),
        availableConnectionsDelegate: MaximumAvailableConnections(connections)),
      onServerRunning: { [port] channel in
        let text =
          "\(files.root) is at http://127.0.0.1:\(channel.localAddress?.port ?? port)/, its notes are in \(marks)\n"
        FileHandle.standardOutput.write(Data(text.utf8))
      })
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
