// SPDX-License-Identifier: MIT
@testable import AsyncState

/// All that a snapshot says, as a value that can be compared.
struct DataImage: Equatable {
  var value: [Int]?
  var isValueSet = false
  var error: Int?
  var isProvisional = false
  var isInvalidated = false
  var activity: Activity?

  struct Activity: Equatable {
    var mode: LoadMode
    var progress: Double?
    var failures = 0
    var lastFailure: Int?
  }
}

/// An error with a number.
struct Trouble: Error {
  let number: Int

  /// What a timeout counts as.
  static let timeout = -1
  /// What a `CancellationError` of an operation or a commit counts as, if no one has cancelled it.
  static let interruption = -2

  /// The number of any error that can come up in a model.
  static func number(of error: any Error) -> Int {
    if let trouble = error as? Trouble { return trouble.number }
    if error is RequestInterruptedError { return interruption }
    precondition(error is LoadTimeoutError, "an error from nowhere: \(error)")
    return timeout
  }
}

/// How a load ended, as a value that can be compared.
enum DataOutcome: Equatable {
  case value([Int]?)
  case failure(Int)
  case cancelled
  case superseded
  case fresh([Int]?)

  init(_ outcome: AsyncOutcome<[Int]?>) {
    switch outcome {
    case .success(let value): self = .value(value)
    case .failure(let error): self = .failure(Trouble.number(of: error))
    case .cancelled: self = .cancelled
    case .superseded: self = .superseded
    case .notRequested(let value): self = .fresh(value)
    }
  }
}

extension DataImage {
  init(_ snapshot: AsyncSnapshot<[Int]>) {
    value = snapshot.value
    isValueSet = snapshot.isValueSet
    error = snapshot.error.map(Trouble.number)
    isProvisional = snapshot.isProvisional
    isInvalidated = snapshot.isInvalidated
    activity = snapshot.activity.map { activity in
      Activity(
        mode: activity.mode, progress: activity.progress,
        failures: activity.failures, lastFailure: activity.lastFailure.map(Trouble.number))
    }
  }
}

/// One notification: its arguments, and the data that the delegate reads by then.
struct Received: Equatable {
  var isForced: Bool
  var image: DataImage
}
