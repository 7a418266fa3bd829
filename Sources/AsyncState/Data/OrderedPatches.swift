/// Changes of a value that are shown before they are confirmed, each in its place.
///
/// What is shown is the base with every patch applied, in the order in which they were made. A patch that is confirmed
/// stays in its place until all before it are decided, so that nothing that is shown changes its order; one that fails
/// is taken out alone.
struct OrderedPatches<Value> {
  typealias Patch = (inout Value) -> Void

  private struct Entry {
    let number: Int
    let patch: Patch
    var isConfirmed = false
  }

  /// The last value that does not depend on an undecided patch.
  private(set) var base: Value?
  private var entries: [Entry] = []
  private var lastNumber = 0

  init(base: Value?) {
    self.base = base
  }

  /// Nothing is left to be decided.
  var isEmpty: Bool { entries.isEmpty }

  /// What is shown: the base with all patches. A patch of nothing is nothing.
  var value: Value? { base(with: entries) }

  /// The base with all that is confirmed: what is known, whatever becomes of the rest.
  var confirmedValue: Value? { base(with: entries.filter(\.isConfirmed)) }

  /// Adds a patch on top.
  ///
  /// - Returns: The number under which it is decided.
  mutating func add(_ patch: @escaping Patch) -> Int {
    lastNumber += 1
    entries.append(Entry(number: lastNumber, patch: patch))
    return lastNumber
  }

  /// The patch is confirmed.
  mutating func confirm(_ number: Int) {
    guard let index = index(of: number) else { return }
    entries[index].isConfirmed = true
    foldConfirmed()
  }

  /// The patch is confirmed by a value that has it, and all that was confirmed before it.
  mutating func confirm(_ number: Int, with answer: Value) {
    guard let index = index(of: number) else { return }
    entries = entries[..<index].filter { !$0.isConfirmed } + entries[(index + 1)...]
    base = answer
    foldConfirmed()
  }

  /// The patch has failed: it is taken out alone.
  mutating func remove(_ number: Int) {
    entries.removeAll { $0.number == number }
    foldConfirmed()
  }

  /// A new base has come from elsewhere. It has what was confirmed; what was not stays on top.
  mutating func rebase(on newBase: Value?) {
    base = newBase
    entries.removeAll(where: \.isConfirmed)
  }

  private func index(of number: Int) -> Int? {
    entries.firstIndex { $0.number == number }
  }

  /// Confirmed patches with nothing undecided below them become part of the base.
  private mutating func foldConfirmed() {
    let confirmed = entries.prefix(while: \.isConfirmed)
    base = base(with: confirmed)
    entries.removeFirst(confirmed.count)
  }

  private func base(with entries: some Sequence<Entry>) -> Value? {
    guard var value = base else { return nil }
    for entry in entries { entry.patch(&value) }
    return value
  }
}
