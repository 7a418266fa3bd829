// SPDX-License-Identifier: MIT
@testable import AsyncState

struct Failure: Error, Hashable, CustomStringConvertible {
  var name = "failure"
  var description: String { name }
}

/// What a snapshot says, as a value that can be compared.
struct SnapshotParts<Value: Equatable>: Equatable, CustomStringConvertible {
  var value: Value?
  var isValueSet = false
  var error: String?
  var mode: LoadMode?
  var isProvisional = false
  var isInvalidated = false

  init(
    _ value: Value? = nil, isValueSet: Bool = false, error: String? = nil, mode: LoadMode? = nil,
    isProvisional: Bool = false, isInvalidated: Bool = false
  ) {
    self.value = value
    self.isValueSet = isValueSet
    self.error = error
    self.mode = mode
    self.isProvisional = isProvisional
    self.isInvalidated = isInvalidated
  }

  init(_ snapshot: AsyncSnapshot<Value>) {
    self.init(
      snapshot.value, isValueSet: snapshot.context.isValueSet, error: snapshot.error.map { "\($0)" },
      mode: snapshot.activity?.mode, isProvisional: snapshot.isProvisional,
      isInvalidated: snapshot.context.validity != .valid)
  }

  var description: String {
    var words = [value.map { "\($0)" } ?? "-"]
    if isValueSet { words.append("set") }
    if let error { words.append("error(\(error))") }
    if let mode { words.append("\(mode)") }
    if isProvisional { words.append("provisional") }
    if isInvalidated { words.append("invalidated") }
    return words.joined(separator: " ")
  }
}

/// Records the notifications of a delegate: whether each change is forced, and the data by then.
///
/// Not a `Recorder`: that observes the data, and the flag does not get there.
final class DataRecorder<Value: Equatable>: AsyncDataDelegate {
  private(set) var received: [(forced: Bool, parts: SnapshotParts<Value>)] = []
  /// Done inside the next callback; several take turns.
  var hooks: [() -> Void] = []

  init(_ data: AsyncData<Value>) {
    data.delegate = self
  }

  func asyncDataDidChange(_ data: AsyncData<Value>, forced: Bool) {
    received.append((forced, SnapshotParts(data.snapshot)))
    if !hooks.isEmpty { hooks.removeFirst()() }
  }

  /// The flags of the notifications since the last time.
  func takeFlags() -> String {
    defer { received = [] }
    return received.map { letter($0.forced) }.joined()
  }

  /// The data at each notification since the last time.
  func takeSnapshots() -> [String] {
    defer { received = [] }
    return received.map(\.parts.description)
  }
}
