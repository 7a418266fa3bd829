import AsyncState

/// The resource of a key that is held: one of a thousand.
final class FamilyAccess: SynchronousWork {
  private let family = AsyncFamily<Int, Int>(keepIdle: 100) { key in key }
  private let held: [AsyncResource<Int>]
  private let tally = Tally()

  init() {
    held = (0..<1024).map { [family] in family[$0] }
  }

  func run(_ count: Int) {
    for key in 0..<count where family[key & 1023] === held[0] { tally.add(key) }
  }
}

/// The same with a dictionary.
final class DictionaryAccess: SynchronousWork {
  private final class Entry {}

  private var entries: [Int: Entry] = [:]
  private let held: [Entry]
  private let tally = Tally()

  init() {
    held = (0..<1024).map { _ in Entry() }
    for (key, entry) in held.enumerated() { entries[key] = entry }
  }

  func run(_ count: Int) {
    for key in 0..<count where entries[key & 1023] === held[0] { tally.add(key) }
  }
}
