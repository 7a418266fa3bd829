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

/// The same with keys that are texts.
final class FamilyAccessByText: SynchronousWork {
  private let family = AsyncFamily<String, Int>(keepIdle: 100) { _ in 1 }
  private let keys = (0..<1024).map { "article \($0)" }
  private let held: [AsyncResource<Int>]
  private let tally = Tally()

  init() {
    held = keys.map { [family] in family[$0] }
  }

  func run(_ count: Int) {
    for key in 0..<count where family[keys[key & 1023]] === held[0] { tally.add(key) }
  }
}

/// The same with a dictionary.
final class DictionaryAccessByText: SynchronousWork {
  private final class Entry {}

  private var entries: [String: Entry] = [:]
  private let keys = (0..<1024).map { "article \($0)" }
  private let held: [Entry]
  private let tally = Tally()

  init() {
    held = (0..<1024).map { _ in Entry() }
    for (key, entry) in zip(keys, held) { entries[key] = entry }
  }

  func run(_ count: Int) {
    for key in 0..<count where entries[keys[key & 1023]] === held[0] { tally.add(key) }
  }
}
