// SPDX-License-Identifier: MIT
/// The origin of the value of data; without a value, the reason for that. Each event leads from one origin to another; the
/// public properties are computed from it.
enum ValueOrigin: Equatable, Sendable {
  /// There is no value.
  case nothing(Requested)
  /// The seed is displayed.
  case seed(Requested)
  /// The value of a previous key is displayed, until this one has a value or an error.
  case former(Requested)
  /// A load has yielded it, and has not succeeded.
  case partial
  /// A store had it: it was confirmed, but not by the last request.
  case stored
  /// A load has succeeded, or it was set; without a value there is no data.
  case answer

  /// The state of the request, if there is no answer.
  enum Requested {
    case notYet
    /// The value was not requested yet, and a request follows by itself.
    case soon
    /// It was requested; the request runs, or has ended without an answer.
    case before
  }

  /// Nothing but the seed, if there is one.
  static func initial(hasSeed: Bool, _ requested: Requested = .notYet) -> ValueOrigin {
    hasSeed ? .seed(requested) : .nothing(requested)
  }

  private var requested: Requested? {
    switch self {
    case .nothing(let requested), .seed(let requested), .former(let requested): requested
    case .partial, .stored, .answer: nil
    }
  }

  /// True if a value was set, loaded or restored, which may be nil.
  var isValueSet: Bool { requested == nil }

  var isProvisional: Bool {
    switch self {
    case .seed, .former, .partial, .stored: true
    case .nothing, .answer: false
    }
  }

  /// True if nothing was requested or written since the data was created or reset.
  var isUntouched: Bool {
    switch requested {
    case .notYet, .soon: true
    case .before, nil: false
    }
  }

  var isRequestExpected: Bool { requested == .soon }

  /// True if there is a value without undecided changes: an answer, a stored one, or either with the changes confirmed since.
  var isConfirmed: Bool { self == .stored || self == .answer }

  /// True if the value belongs to a previous key. It is removed by an error.
  var isFormer: Bool { if case .former = self { true } else { false } }

  /// True if there is no value, and nothing was requested.
  var awaitsFirstRequest: Bool {
    switch self {
    case .nothing(.notYet), .nothing(.soon): true
    case .nothing(.before), .seed, .former, .partial, .stored, .answer: false
    }
  }

  // MARK: Transitions

  /// Notes that a request was made, or will not be made.
  mutating func noteRequest() {
    switch self {
    case .nothing: self = .nothing(.before)
    case .seed: self = .seed(.before)
    case .former: self = .former(.before)
    case .partial, .stored, .answer: break
    }
  }

  /// Notes an error. The value of a previous key is not displayed beside it.
  mutating func fail(hasSeed: Bool) {
    if isFormer { self = .initial(hasSeed: hasSeed, .before) }
  }
}
