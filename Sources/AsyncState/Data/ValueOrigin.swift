// SPDX-License-Identifier: MIT
/// The origin of the value of data; without one, why there is none. Each event leads from one origin to another; what is
/// public of it is computed.
enum ValueOrigin: Equatable, Sendable {
  /// Nothing is known.
  case nothing(Requested)
  /// The seed is displayed.
  case seed(Requested)
  /// The value of a former key is displayed, until this one has a value or an error.
  case former(Requested)
  /// The value of a former key is displayed, until this one has a value.
  case lasting(Requested)
  /// A load has yielded it, and has not succeeded.
  case partial
  /// It was confirmed, but not by the last request: a store had it.
  case stored
  /// A load has succeeded, or it was set; without a value there is no data.
  case answer

  /// Whether a value was requested where there is no answer.
  enum Requested {
    case notYet
    /// Not yet, and a request follows by itself.
    case soon
    /// It was; the request runs, or has ended without an answer.
    case before
  }

  /// Nothing but the seed, if there is one.
  static func initial(hasSeed: Bool, _ requested: Requested = .notYet) -> ValueOrigin {
    hasSeed ? .seed(requested) : .nothing(requested)
  }

  private var requested: Requested? {
    switch self {
    case .nothing(let requested), .seed(let requested), .former(let requested), .lasting(let requested): requested
    case .partial, .stored, .answer: nil
    }
  }

  /// A value was set, loaded or restored, which may be nil.
  var isValueSet: Bool { requested == nil }

  var isProvisional: Bool {
    switch self {
    case .seed, .former, .lasting, .partial, .stored: true
    case .nothing, .answer: false
    }
  }

  /// Nothing was requested or written since the data was created or reset.
  var isUntouched: Bool {
    switch requested {
    case .notYet, .soon: true
    case .before, nil: false
    }
  }

  var isRequestExpected: Bool { requested == .soon }

  /// There is a value without undecided changes: an answer, a stored one, or either with what was confirmed since.
  var isConfirmed: Bool { self == .stored || self == .answer }

  /// The value belongs to a former key.
  var isFormer: Bool { endsWithError || isLasting }

  /// It is removed when there is an error.
  var endsWithError: Bool { if case .former = self { true } else { false } }

  private var isLasting: Bool { if case .lasting = self { true } else { false } }

  /// Nothing is known, and nothing was requested.
  var awaitsFirstRequest: Bool {
    switch self {
    case .nothing(.notYet), .nothing(.soon): true
    case .nothing(.before), .seed, .former, .lasting, .partial, .stored, .answer: false
    }
  }

  // MARK: Transitions

  /// A request was made, or will not be.
  mutating func noteRequest() {
    switch self {
    case .nothing: self = .nothing(.before)
    case .seed: self = .seed(.before)
    case .former: self = .former(.before)
    case .lasting: self = .lasting(.before)
    case .partial, .stored, .answer: break
    }
  }

  /// A change was confirmed by the server's value, which is an answer; but not to the load that has yielded a part.
  mutating func confirm() {
    switch self {
    case .partial: self = .stored
    case .nothing, .seed, .former, .lasting: self = .answer
    case .stored, .answer: break
    }
  }

  /// There is an error, beside which the value of a former key is displayed only if it lasts.
  mutating func fail(hasSeed: Bool) {
    if endsWithError { self = .initial(hasSeed: hasSeed, .before) }
  }
}
