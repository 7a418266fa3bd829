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
  private static let scales = [10, 20, 25, 50, 100, 200, 500, 1000, 2000, 5000, 10_000]
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

  /// The last of several stretches, as many as there is room for. In the first scale in which none of the last few takes
  /// up more than half of the columns; more than half where there are few.
  ///
  /// - Parameters:
  ///   - stretches: In order.
  ///   - now: Where the last one ends, if that is later than it says.
  init(stretches times: [ClosedRange<Duration>], now: Duration, columns: Int) {
    var times = times
    if let last = times.popLast() { times.append(last.lowerBound...max(last.upperBound, now)) }
    let length = times.suffix(Self.decisiveCount).map { $0.upperBound - $0.lowerBound }.max() ?? .zero
    let leastColumns = min(max(columns / 4, Self.leastColumns.lowerBound), Self.leastColumns.upperBound)
    let scale = Self.scale(for: length, columns: max(columns / 2, min(columns - leastColumns, 24)))

    var column = 0
    var placed: [Stretch] = []
    for (index, time) in times.enumerated() {
      placed.append(Stretch(time: time, column: column))
      let width = (time.upperBound - time.lowerBound).milliseconds / scale + 1
      let isLast = index + 1 == times.count
      column += isLast ? width + leastColumns : max(width + Self.pauseColumns, leastColumns)
    }
    // What is too much is to the left of the first column.
    let excess = max(column - columns, 0)
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

  /// Times to write below the columns: at the beginning of each stretch, and now and then within it.
  var labels: [Label] {
    var labels: [Label] = []
    var end = 0
    for stretch in stretches {
      let width = (stretch.time.upperBound - stretch.time.lowerBound).milliseconds / scale
      for offset in stride(from: 0, through: width, by: Self.labelStep) {
        let milliseconds = stretch.time.lowerBound.milliseconds + offset * scale
        let label = Label(column: stretch.column + offset, text: Self.text(ofMilliseconds: milliseconds))
        guard label.column >= end, label.column + label.text.columns + 1 < columns else { continue }
        labels.append(label)
        end = label.column + label.text.columns + 2
      }
    }
    return labels
  }

  private static func scale(for length: Duration, columns: Int) -> Int {
    scales.first { length.milliseconds / $0 < columns } ?? 60_000
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
