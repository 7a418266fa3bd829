// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// Decides which column of a chart a time is drawn in.
///
/// Within a stretch the columns are to scale; a pause between two stretches is as wide as a few columns, however long it
/// is. So what happened stays in view while nothing happens.
struct LaneAxis: Equatable {
  struct Label: Equatable {
    let column: Int
    let text: String
  }

  private struct Stretch: Equatable {
    let time: ClosedRange<Duration>
    let column: Int
  }

  /// Milliseconds for a column.
  private static let scales = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 60_000]
  /// The smaller ones are for a look from close by.
  private static let firstScale = 3
  /// A whole axis is as wide as this time from its beginning, so that its scale changes seldom.
  private static let shortest = Duration.milliseconds(1000)
  /// How wide a stretch with its pause is at least, and the room behind the last one: there is a text to be read.
  private static let leastColumns = 8...12
  private static let pauseColumns = 3
  /// How many of the last stretches decide about the scale, so that it changes seldom.
  private static let decisiveCount = 4
  private static let labelStep = 20

  /// How many columns there are.
  let columns: Int
  /// The end of the axis.
  let now: Duration
  private let scale: Int
  private let stretches: [Stretch]

  /// From zero to a time, in the first scale that lets everything fit.
  init(to now: Duration, columns: Int) {
    (self.columns, self.now) = (columns, now)
    scale = Self.scale(for: max(now, Self.shortest), columns: columns)
    stretches = [Stretch(time: .zero...max(now, .milliseconds(scale * columns)), column: 0)]
  }

  /// Several stretches, as many as there is room for: the last ones, or those around a time. In the first scale in which
  /// none of the last few takes up more than half of the columns; more than half where there are few.
  ///
  /// - Parameters:
  ///   - stretches: In order.
  ///   - now: Where the last one ends, if that is later than it says.
  ///   - zoom: How many scales larger or, below zero, smaller.
  ///   - time: A time that is in view.
  init(
    stretches times: [ClosedRange<Duration>], now: Duration, columns: Int, zoom: Int = 0, showing time: Duration? = nil
  ) {
    var times = times
    if let last = times.popLast() { times.append(last.lowerBound...max(last.upperBound, now)) }
    let length = times.suffix(Self.decisiveCount).map { $0.upperBound - $0.lowerBound }.max() ?? .zero
    let leastColumns = min(max(columns / 4, Self.leastColumns.lowerBound), Self.leastColumns.upperBound)
    let scale = Self.scale(for: length, columns: max(columns / 2, min(columns - leastColumns, 24)), zoom: zoom)

    var column = 0
    var placed: [Stretch] = []
    for (index, time) in times.enumerated() {
      placed.append(Stretch(time: time, column: column))
      let width = (time.upperBound - time.lowerBound).milliseconds / scale + 1
      let isLast = index + 1 == times.count
      column += isLast ? width + leastColumns : max(width + Self.pauseColumns, leastColumns)
    }
    // What is too much is to the left of the first column; and to the right of the last, if the time is further left.
    var excess = max(column - columns, 0)
    if let time, let stretch = placed.last(where: { $0.time.lowerBound <= time }) {
      let offset = (min(time, stretch.time.upperBound) - stretch.time.lowerBound).milliseconds / scale
      let shown = stretch.column + offset
      if shown < excess { excess = max(shown - columns / 4, 0) }
    }
    self.columns = columns
    self.now = times.last?.upperBound ?? now
    self.scale = scale
    self.stretches = placed.map { Stretch(time: $0.time, column: $0.column - excess) }
  }

  /// The column of a time: less than zero if it is before the first one.
  func column(at time: Duration) -> Int {
    guard let stretch = stretches.last(where: { $0.time.lowerBound <= time }) else { return .min / 2 }
    return stretch.column + (min(time, stretch.time.upperBound) - stretch.time.lowerBound).milliseconds / scale
  }

  /// The columns in which a pause was left out: before each stretch but the first.
  var pauses: [Int] { stretches.dropFirst().map { $0.column - 1 }.filter((0..<max(columns, 0)).contains) }

  /// Times to write below the columns: at the beginning of each stretch, and now and then within it.
  var labels: [Label] {
    var labels: [Label] = []
    var end = 0
    for stretch in stretches {
      let width = (stretch.time.upperBound - stretch.time.lowerBound).milliseconds / scale
      for offset in stride(from: 0, through: width, by: Self.labelStep) {
        let milliseconds = stretch.time.lowerBound.milliseconds + offset * scale
        let label = Label(column: stretch.column + offset, text: Self.text(ofMilliseconds: milliseconds))
        guard label.column >= end, label.column >= 0, label.column + label.text.columns + 1 < columns else { continue }
        labels.append(label)
        end = label.column + label.text.columns + 2
      }
    }
    return labels
  }

  private static func scale(for length: Duration, columns: Int, zoom: Int = 0) -> Int {
    let index = scales.indices.dropFirst(firstScale).first { length.milliseconds / scales[$0] < columns }
    return scales[min(max((index ?? scales.endIndex) - zoom, 0), scales.endIndex - 1)]
  }

  private static func text(ofMilliseconds milliseconds: Int) -> String {
    let hundredths = (milliseconds + 5) / 10
    return hundredths % 100 == 0 ? "\(hundredths / 100) s" : "\(Double(hundredths) / 100) s"
  }
}

extension Duration {
  /// Whole milliseconds.
  var milliseconds: Int { Int(self / .milliseconds(1)) }
}
#endif
