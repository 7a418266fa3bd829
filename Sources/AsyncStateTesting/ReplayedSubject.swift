// SPDX-License-Identifier: MIT
public import AsyncStateJournal
public import AsyncState

/// A subject of a replay.
class ReplayedSubject {
  /// Attaches the subject to the journal of the replay.
  ///
  /// - Parameter steps: What the recording says of it from here on.
  func attach(
    to journal: StateJournal, _ name: String, before steps: [StateJournal.Entry], isolation: isolated any Actor
  ) {}

  /// The step that is to be carried out so that this one happens: itself, or a later one.
  func action(of step: StateJournal.Entry, in replay: Replay) -> StateJournal.Entry { step }

  /// Does what led to a step.
  ///
  /// - Returns: Why that cannot be done; nil if it was tried.
  func carryOut(_ step: StateJournal.Entry, in replay: Replay, isolation: isolated any Actor) -> String? { nil }

  /// Whether a step came from outside though it has a cause: it is an answer to what the subject had begun.
  func isAnswer(_ step: StateJournal.Entry, to cause: StateJournal.Entry, in replay: Replay) -> Bool { false }

  /// Whether a step has waited since its cause, so that it does not follow by itself: by a call that has no entry, or by
  /// a clock.
  func hasWaited(_ step: StateJournal.Entry, since cause: StateJournal.Entry, in replay: Replay) -> Bool { false }

  /// Whether code of the app has done this when it was notified of the cause.
  func isByObserver(_ step: StateJournal.Entry, of cause: StateJournal.Entry) -> Bool { false }

  /// Why a step cannot be carried out.
  static let unrepeatable = "A replay cannot repeat this: leave such entries out of the recording."
}

/// An error that a replay puts in the place of a recorded one.
public struct ReplayedError: Error, Hashable, CustomStringConvertible {
  /// The text of the recorded error.
  public let description: String

  /// An error with the text of a recorded one.
  public init(_ description: String) {
    self.description = description
  }
}

// MARK: - Inputs

class ReplayedInput: ReplayedSubject {
  func write(_ step: StateJournal.Entry, _ batch: inout InputBatch) {}
}

private final class TypedReplayedInput<Value>: ReplayedInput {
  private let input: Input<Value>
  private let value: (StateJournal.Entry) -> Value

  init(_ input: Input<Value>, _ value: @escaping (StateJournal.Entry) -> Value) {
    self.input = input
    self.value = value
  }

  override func attach(
    to journal: StateJournal, _ name: String, before steps: [StateJournal.Entry], isolation: isolated any Actor
  ) {
    journal.attach(input, name: name, isolation: isolation)
  }

  override func carryOut(
    _ step: StateJournal.Entry, in replay: Replay, isolation: isolated any Actor
  ) -> String? {
    guard step.event == .written else { return Self.unrepeatable }
    input.write(value(step))
    return "The value is the one that the input has."
  }

  override func isByObserver(_ step: StateJournal.Entry, of cause: StateJournal.Entry) -> Bool { true }

  override func write(_ step: StateJournal.Entry, _ batch: inout InputBatch) {
    batch.write(value(step), to: input)
  }
}

extension Replay {
  /// Repeats what was written to an input from outside.
  ///
  /// - Parameters:
  ///   - input: The subject.
  ///   - name: The subject's name in the entries.
  ///   - value: What was written, by the entry.
  public func attach<Value>(
    _ input: Input<Value>, name: String, value: @escaping (StateJournal.Entry) -> Value
  ) {
    attach(TypedReplayedInput(input, value), name)
  }

  /// Writes several inputs at once if they were written in a batch: the notification is led to by the first one.
  ///
  /// - Returns: Nil if this is another kind of step.
  func carryOutTogether(_ step: StateJournal.Entry) -> String? {
    guard step.event == .written else { return nil }
    // A batch writes each input once, so no more have to be looked at.
    let candidates = following.prefix(max(subjects(of: ReplayedInput.self).count - 1, 0))
    let others = candidates.prefix { $0.event == .written && $0.cause == step.cause }
    guard !others.isEmpty, following.dropFirst(others.count).first?.cause == step.number else { return nil }
    batch { batch in
      for step in [step] + others { input(named: step.subject)?.write(step, &batch) }
    }
    return "The values are those that the inputs have."
  }
}
