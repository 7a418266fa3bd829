// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncState

/// A value that is set, of data with a journal or without.
public final class RecordedChange: SynchronousWork {
  private let data = AsyncData<Int>()
  private let journal: StateJournal?
  private var hasBegun = false

  /// Data with a journal, or without.
  public init(isRecorded: Bool) {
    journal = isRecorded ? StateJournal() : nil
  }

  /// Attaches the journal, the first time.
  public func begin(on home: isolated any Actor) {
    guard let journal, !hasBegun else { return }
    hasBegun = true
    journal.attach(data, name: "data", isolation: home)
  }

  /// Sets so many values.
  public func run(_ count: Int) {
    for turn in 0..<count { data.value = turn }
  }
}
