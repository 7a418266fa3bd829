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
  /// Nil before it is announced, and if it does not happen.
  private var announced: Announcement?
  private var staged: StagedEvent<Value>?

  init(_ data: AsyncData<Value>, _ value: Value?) {
    self.data = data
    self.value = value
  }

  func announce() {
    event = .set(at: data.now, isSame: data.isSame(data.displayed, value))
    announced = data.announce(event, hasValue: value != nil)
  }

  func confirm() {
    guard let announced, !announced.hasOwner(of: data.state.core.record) else { return }
    data.withdraw(announced)
    self.announced = nil
  }

  func stage() {
    guard var announced else { return }
    // The batch itself may have changed the key.
    announced.renewOwner(of: data.state.core.record)
    staged = data.stage(event, writing: value, announced: announced)
  }

  func deliver() { data.deliver(staged.take()) }
}
