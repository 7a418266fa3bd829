// SPDX-License-Identifier: MIT
import AsyncState

/// The resource of a key that is held: one of a thousand.
final class FamilyAccess: SynchronousWork {
  private var family: AsyncFamily<Int, Int>?
  private var held: [AsyncResource<Int>] = []
  private let tally = Tally()

  func begin(on home: isolated any Actor) {
    guard self.family == nil else { return }
    let family = AsyncFamily<Int, Int>(isolation: home, keepUnused: 100) { key in .value { key } }
    self.family = family
    held = (0..<1024).map { family[$0] }
  }

  func run(_ count: Int) {
    guard let family else { return }
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
  private var family: AsyncFamily<String, Int>?
  private let keys = (0..<1024).map { "article \($0)" }
  private var held: [AsyncResource<Int>] = []
  private let tally = Tally()

  func begin(on home: isolated any Actor) {
    guard self.family == nil else { return }
    let family = AsyncFamily<String, Int>(isolation: home, keepUnused: 100) { _ in .value { 1 } }
    self.family = family
    held = keys.map { family[$0] }
  }

  func run(_ count: Int) {
    guard let family else { return }
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
