#if os(macOS) || os(Linux)
import Dispatch
import Foundation

/// Signals as events, and not as the sudden end of the process.
@MainActor
final class Signals {
  private let sources: [Int32: any DispatchSourceSignal]

  /// Listens for signals until ``end()``. Until it listens, which this waits for, they do what they do by default: none
  /// gets lost on the way.
  ///
  /// - Parameter handler: Called with the number of each, on any thread.
  init(_ numbers: [Int32], _ handler: @escaping @Sendable (Int32) -> Void) async {
    sources = Dictionary(uniqueKeysWithValues: numbers.map { ($0, DispatchSource.makeSignalSource(signal: $0)) })
    for (number, source) in sources {
      source.setEventHandler { @Sendable in handler(number) }
      await withCheckedContinuation { continuation in
        source.setRegistrationHandler { @Sendable in continuation.resume() }
        source.resume()
      }
      #if canImport(Darwin)
      // Elsewhere the source handles the signal itself, and here it only watches.
      signal(number, SIG_IGN)
      #endif
    }
  }

  /// From here on signals do again what they do by default.
  func end() {
    for (number, source) in sources {
      source.cancel()
      signal(number, SIG_DFL)
    }
  }
}
#endif
