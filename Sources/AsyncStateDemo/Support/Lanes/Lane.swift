// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// A row of a chart: what happens to one thing over time.
struct Lane: Equatable {
  /// What is so from a time on, until the next mark.
  struct Mark: Equatable {
    let time: Duration
    /// What is drawn at the time itself; empty: nothing.
    var sign = ""
    /// What is written behind the sign, as far as there is room.
    var text = ""
    var style = Style.plain
    /// Whether something is running, which is drawn as a bar.
    var isRunning = false
  }

  let name: String
  var marks: [Mark] = []
}
#endif
