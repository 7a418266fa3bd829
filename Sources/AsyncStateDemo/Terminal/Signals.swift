import Dispatch
import Foundation

/// Signals as events, and not as the sudden end of the process.
@MainActor
final class Signals {
  private let sources: [Int32: any DispatchSourceSignal]

  /// Listens for signals until ``end()``.
  ///
  /// - Parameter handler: Called with the number of each, on any thread.
  init(_ numbers: [Int32], _ handler: @escaping @Sendable (Int32) -> Void) {
    sources = Dictionary(uniqueKeysWithValues: numbers.map { ($0, DispatchSource.makeSignalSource(signal: $0)) })
    for (number, source) in sources {
      // A source hears of a signal only when nothing else handles it.
      signal(number, SIG_IGN)
      source.setEventHandler { @Sendable in handler(number) }
      source.resume()
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
