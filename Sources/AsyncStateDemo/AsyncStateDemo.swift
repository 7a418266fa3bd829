// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import Foundation

/// The demo of the library: a tour of scenes, each by hand and with the library.
@main
@MainActor
enum AsyncStateDemo {
  static func main() async {
    StandardStream.reserveClosed()
    exit(await run(Array(CommandLine.arguments.dropFirst())))
  }

  private static func run(_ arguments: [String]) async -> Int32 {
    do {
      let options = try Options(arguments, sceneNames: Programme.scenes.map { $0.name })
      switch options.request {
      case .tour: return try await Tour(options: options).run()
      case .list: try StandardStream.output.write(Programme.listing)
      case .help: try StandardStream.output.write(Options.help + "\n")
      }
      return ExitStatus.success
    } catch {
      try? StandardStream.error.write("AsyncStateDemo: \(error)\n")
      return error is UsageError ? ExitStatus.usage : ExitStatus.noOutput
    }
  }
}
#else
/// Where there is no terminal the demo is built and does nothing, so that the whole package can be built.
@main
enum AsyncStateDemo {
  static func main() {}
}
#endif
