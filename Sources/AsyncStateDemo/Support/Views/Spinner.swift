// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState
import Observation

/// An indicator that turns while it is visible.
@MainActor @Observable
final class Spinner {
  private static let glyphs = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

  /// The name of the thing that is loading.
  var text: String

  private var turn = 0
  @ObservationIgnored private let clock: any Clock<Duration>
  @ObservationIgnored private var turning: Task<Void, Never>?

  init(_ text: String = "Loading", clock: any Clock<Duration>) {
    self.text = text
    self.clock = clock
  }
}

extension Spinner: @MainActor ChildController {
  func willAppear(animated: Bool) {
    // An indicator that turns back on the way out appears again without having disappeared.
    turning?.cancel()
    turning = Task { [weak self, clock] in
      while (try? await clock.sleep(for: .milliseconds(80))) != nil { self?.turn += 1 }
    }
  }

  func didDisappear(animated: Bool) {
    turning?.cancel()
  }
}

extension Spinner: @MainActor Drawable {
  func rows(in size: Size) -> [Row] {
    var row = Row("\(Self.glyphs[turn % Self.glyphs.count]) ", .accent)
    row.put("\(text) …")
    return [row]
  }
}

extension Spinner: CustomStringConvertible {
  nonisolated var description: String { "spinner" }
}
#endif
