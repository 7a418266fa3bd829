// SPDX-License-Identifier: MIT
/// The values that batches, one inside another, will write to an input. While a batch writes, the value that it has replaced.
@usableFromInline
struct Drafts<Value> {
  // Mostly there is one batch: no list for that.
  @usableFromInline var newest: (batch: Int, value: Value)?
  @usableFromInline var others: [(batch: Int, value: Value)] = []

  /// The value of a batch; nil if it has none.
  @inlinable
  subscript(batch: Int) -> Value? {
    guard let newest else { return nil }
    return newest.batch == batch ? newest.value : outer(batch)
  }

  /// Adds the value of a batch that has none.
  @inlinable
  mutating func add(_ value: Value, of batch: Int) {
    if newest != nil { coverNewest() }
    newest = (batch, value)
  }

  /// Takes the value of a batch out.
  @inlinable
  mutating func take(_ batch: Int) -> Value? {
    guard let newest else { return nil }
    guard newest.batch == batch, others.isEmpty else { return takeAmongSeveral(batch) }
    self.newest = nil
    return newest.value
  }

  // A batch inside another over the same input is rare, so this code is not compiled into clients.

  @usableFromInline
  func outer(_ batch: Int) -> Value? { others.last { $0.batch == batch }?.value }

  @usableFromInline
  mutating func coverNewest() {
    if let newest { others.append(newest) }
  }

  @usableFromInline
  mutating func takeAmongSeveral(_ batch: Int) -> Value? {
    if let newest, newest.batch == batch {
      self.newest = others.popLast()
      return newest.value
    }
    return others.lastIndex { $0.batch == batch }.map { others.remove(at: $0).value }
  }
}

/// A step of a batch with the value that it will write to an input.
@usableFromInline
enum BatchStep {
  /// Drops the value if it is no change.
  case compare
  /// Makes it the value of the input, and keeps the previous one in its place.
  case stage
  /// Releases the replaced value.
  case release
  /// All of these, if nothing else is written.
  case write
}
