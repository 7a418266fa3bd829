// SPDX-License-Identifier: MIT
import Observation

/// Reports to Observation which parts of an object are read, and which change.
///
/// This is not the macro's way, for two reasons. A key path into a generic class is built anew each time it is named,
/// so the key paths here are those of one plain class. And Observation calls each `onChange` once, so a part that was
/// not read since its last change need not be reported at all. Nothing is allocated before the first read.
///
/// `Part` is the owner's: an option set with at most eleven members.
struct Tracking<Part: OptionSet> where Part.RawValue == UInt16 {
  var tracker: Tracker?

  init() {}

  /// Notes that the caller reads these parts.
  mutating func access(_ parts: Part) {
    if let tracker { return tracker.access(parts.rawValue) }
    let tracker = Tracker()
    self.tracker = tracker
    tracker.access(parts.rawValue)
  }

  /// True if any part was read since it changed last.
  var isRead: Bool { tracker.map { $0.read != 0 } ?? false }

  /// True if any of these parts was read since it changed last, so that readers are notified of the next change.
  func isRead(_ parts: Part) -> Bool {
    guard let tracker else { return false }
    return tracker.read & parts.rawValue != 0
  }

  /// Reports that these parts have changed, to those who have read them since they changed last. May call the user's code.
  func report(_ parts: Part) {
    if let tracker, isRead(parts) { tracker.report(parts.rawValue) }
  }
}

/// Stands for an object of any type wherever Observation wants a key path.
final class Tracker: Observable {
  private let registrar = ObservationRegistrar()

  /// The parts that were read since they changed last, a bit each.
  var read: UInt16 = 0
  /// The parts that are still to be reported, by the report in progress.
  private var due: UInt16 = 0
  private var isReporting = false

  init() {}

  func access(_ parts: UInt16) {
    read |= parts
    forEachPart(in: parts) { registrar.access(self, keyPath: $0) }
  }

  /// Reports that these parts have changed. During another report, that reports them, so the stack does not grow with the number of
  /// readers that write.
  func report(_ parts: UInt16) {
    // Cleared first: a reader that reads again while it is notified is notified of the next change, too.
    due |= parts & read
    read &= ~due
    guard !isReporting else { return }
    isReporting = true
    while due != 0 {
      let parts = due
      due = 0
      // One after the other, although all is over: readers are registered for either.
      forEachPart(in: parts) {
        registrar.willSet(self, keyPath: $0)
        registrar.didSet(self, keyPath: $0)
      }
    }
    isReporting = false
  }

  private func forEachPart(in parts: UInt16, _ body: (any KeyPath<Tracker, Void> & Sendable) -> Void) {
    var rest = parts
    while rest != 0 {
      body(Self.keyPaths[rest.trailingZeroBitCount])
      rest &= rest - 1
    }
  }

  /// In the order of the bits.
  private static let keyPaths: [any KeyPath<Tracker, Void> & Sendable] = [
    \.part0, \.part1, \.part2, \.part3, \.part4, \.part5, \.part6, \.part7, \.part8, \.part9, \.part10,
  ]

  // Computed: the key paths of stored properties without a size are all equal.
  private var part0: Void { () }
  private var part1: Void { () }
  private var part2: Void { () }
  private var part3: Void { () }
  private var part4: Void { () }
  private var part5: Void { () }
  private var part6: Void { () }
  private var part7: Void { () }
  private var part8: Void { () }
  private var part9: Void { () }
  private var part10: Void { () }
}
