// SPDX-License-Identifier: MIT
/// The status of a command, as a screen displays it: one word for each wait.
///
/// Until it is `sending`, a cancelled input is never sent; from then on the server may have done it.
/// Match it with `if case`: neither inputs nor errors need be `Equatable`.
public enum MutationStatus<Input, Output> {
  /// Nothing was sent, or all was reset.
  case idle
  /// The input waits for the `delay:` of the mutation: a person may take it back.
  case delayed(Input)
  /// The input waits until fewer requests run: its ``LoadGate`` has a width.
  case queued(Input)
  /// The input waits for its ``LoadGate`` to open: for a network.
  case waitingForNetwork(Input)
  /// The input is being sent. The operation has reported this part, in 0...1; nil: unknown.
  case sending(Input, progress: Double?)
  /// An attempt has failed, and another one follows after a pause.
  case retrying(any Error, Input)
  /// The last request has succeeded.
  case succeeded(Output)
  /// The last request has failed. ``AsyncMutation/retry(isolation:)`` sends the input again.
  case failed(any Error, Input)
}

extension MutationStatus {
  /// True while an input is on its way, but not during its delay: to disable a button, or to show an indicator in it.
  public var isRunning: Bool {
    switch self {
    case .queued, .waitingForNetwork, .sending, .retrying: true
    case .idle, .delayed, .succeeded, .failed: false
    }
  }

  /// The input that is on its way, or has failed; nil if there is none.
  var input: Input? {
    switch self {
    case .delayed(let input), .queued(let input), .waitingForNetwork(let input), .sending(let input, _),
      .retrying(_, let input), .failed(_, let input):
      input
    case .idle, .succeeded: nil
    }
  }

  /// The output of a success; nil otherwise.
  public var output: Output? { if case .succeeded(let output) = self { output } else { nil } }

  /// The error of a failure; nil otherwise, also while another attempt follows.
  public var error: (any Error)? { if case .failed(let error, _) = self { error } else { nil } }
}

extension MutationStatus: Sendable where Input: Sendable, Output: Sendable {}

extension MutationStatus: CustomStringConvertible {
  /// The status in words, as in `sending: 3 items`.
  public var description: String {
    switch self {
    case .idle: "idle"
    case .delayed(let input): "delayed: \(brief(valueOf: input))"
    case .queued(let input): "queued: \(brief(valueOf: input))"
    case .waitingForNetwork(let input): "waiting for a network: \(brief(valueOf: input))"
    case .sending(let input, nil): "sending: \(brief(valueOf: input))"
    case .sending(let input, let progress?): "sending \(Int(progress * 100)) %: \(brief(valueOf: input))"
    case .retrying(let error, let input): "retrying: \(brief(valueOf: input)), after \(brief(error))"
    case .succeeded(let output): "succeeded: \(brief(valueOf: output))"
    case .failed(let error, let input): "failed: \(brief(error)), with \(brief(valueOf: input))"
    }
  }
}

/// What an input waits for, or does, from its turn to its end.
enum MutationPhase {
  case delayed
  case queued
  case waitingForNetwork
  case sending(progress: Double?)
  case retrying(any Error)

  /// The first one of an input.
  ///
  /// - Parameter obstacle: What would keep it from being sent now.
  init(isDelayed: Bool, obstacle: LoadGate.Obstacle?) {
    self =
      switch (isDelayed, obstacle) {
      case (true, _): .delayed
      case (false, .closed): .waitingForNetwork
      case (false, .full): .queued
      case (false, nil): .sending(progress: nil)
      }
  }

  /// True if it is displayed alike. Each failed attempt counts as another one.
  func isEqual(to other: Self) -> Bool {
    switch (self, other) {
    case (.delayed, .delayed), (.queued, .queued), (.waitingForNetwork, .waitingForNetwork): true
    case (.sending(let progress), .sending(let other)): progress == other
    case (.delayed, _), (.queued, _), (.waitingForNetwork, _), (.sending, _), (.retrying, _): false
    }
  }

  func status<Input, Output>(of input: Input) -> MutationStatus<Input, Output> {
    switch self {
    case .delayed: .delayed(input)
    case .queued: .queued(input)
    case .waitingForNetwork: .waitingForNetwork(input)
    case .sending(let progress): .sending(input, progress: progress)
    case .retrying(let error): .retrying(error, input)
    }
  }
}
