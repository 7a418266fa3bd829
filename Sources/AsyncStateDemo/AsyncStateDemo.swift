// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import Foundation

/// The demo of the library: a tour, and a file browser.
@main
@MainActor
enum AsyncStateDemo {
  static func main() async {
    StandardStream.reserveClosed()
    exit(await run(Arguments.ofProcess))
  }

  private static func run(_ arguments: [[UInt8]]) async -> Int32 {
    do {
      switch try Invocation(arguments, sceneNames: Programme.scenes.map { $0.name }) {
      case .tour(let options): return try await Tour(options: options).run()
      case .browse(let options): return try await Browse(options: options).run()
      case .list: try StandardStream.output.write(Programme.listing)
      case .help: try StandardStream.output.write(Help.text + "\n")
      }
      return ExitStatus.success
    } catch let error as UsageError {
      return complain("\(error)", ExitStatus.usage)
    } catch let error as OutputError {
      return complain("\(error)", ExitStatus.noOutput)
    } catch let error as FileError {
      return complain("\(error.path): \(error.reason)", ExitStatus.noInput)
    } catch {
      return complain("\(error)", ExitStatus.noInput)
    }
  }

  private static func complain(_ text: String, _ status: Int32) -> Int32 {
    try? StandardStream.error.write("AsyncStateDemo: \(text)\n")
    return status
  }
}
#else
/// Where there is no terminal the demo is built and does nothing, so that the whole package can be built.
@main
enum AsyncStateDemo {
  static func main() {}
}
#endif
