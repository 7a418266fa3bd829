// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// A row of a chart: what happens to one thing over time.
struct Lane: Equatable {
  /// A state from a time on, until the next mark.
  struct Mark: Equatable {
    let time: Duration
    /// The sign at the time itself; empty: none.
    var sign = ""
    /// The text behind the sign, as far as there is room.
    var text = ""
    var style = Style.plain
    /// Whether something is running, which is drawn as a bar.
    var isRunning = false
  }

  let name: String
  var marks: [Mark] = []
}

extension [Lane] {
  /// Adds a mark to the lane of this name, which is added if there is none.
  mutating func add(_ mark: Lane.Mark, to name: String) {
    let index = firstIndex { $0.name == name } ?? endIndex
    if index == endIndex { append(Lane(name: name)) }
    self[index].marks.append(mark)
  }
}
#endif
