// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import Observation

/// Displays the current folder, and how the backend behaves.
@MainActor @Observable
final class TitleBar {
  var path = ""
  var isBusy = false
  /// Whether one page after another is read, up to the last row.
  var isGoingToEnd = false
  var conduct = LaggyBackend.Conduct(lag: .zero ... .zero)

  /// Two rows.
  ///
  /// - Parameter position: Which row is selected, of how many.
  func rows(columns: Int, position: String) -> [Row] {
    var first = Row(" AsyncState", .strong)
    first.put(lagAndFaults, at: columns - lagAndFaults.columns - 1, .faint)
    var second = Row()
    let activity = isBusy ? "loading …" : isGoingToEnd ? "\(position) …" : position
    // The end of a path says more than its beginning.
    second.put(path.truncatedAtStart(toColumns: columns - activity.columns - 4), at: 1, .accent)
    second.put(activity, at: columns - activity.columns - 1, .faint)
    return [first, second]
  }

  private var lagAndFaults: String {
    "lag \(Int(conduct.meanLag / .milliseconds(1))) ms · faults \(conduct.faultRate > 0 ? "on" : "off")"
  }
}
#endif
