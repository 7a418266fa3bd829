// SPDX-License-Identifier: MIT
extension WriteBatch {
  /// Notes the value that `data` will have at the end of the batch, as if it was set by hand; nil: there is no data.
  ///
  /// ```swift
  /// batch {
  ///   $0.write(session.user, to: user.data)
  ///   $0.write(session.messages, to: messages.data)
  /// }
  /// ```
  ///
  /// All data of the batch, and its inputs, have changed before the first observer is called. Each notifies once.
  public mutating func write<Value>(_ value: Value?, to data: AsyncData<Value>) {
    let changes = others ?? BatchedChanges()
    others = changes
    if let draft = changes[data] as? DataDraft<Value> { return draft.value = value }
    changes.add(DataDraft(data, value), of: data)
  }
}

/// A value that data will have at the end of a batch.
private final class DataDraft<Value>: BatchedChange {
  private let data: AsyncData<Value>
  var value: Value?
  private var event = DataEvent.reset
  private var staged: StagedEvent?

  init(_ data: AsyncData<Value>, _ value: Value?) {
    self.data = data
    self.value = value
  }

  func compare() { event = .set(at: data.now, isSame: data.isSame(data.displayed, value)) }

  func stage() { staged = data.stage(event, writing: value) }

  func deliver() {
    if let staged = staged.take() { data.deliver(staged) }
  }
}
