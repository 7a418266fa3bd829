/// Decides when a status may be shown, so that an indicator neither flashes nor flickers.
///
/// It knows of a status only whether it is loading. Times are durations on any one line; boundaries are inclusive.
struct PacingMachine {
  enum Phase: Equatable {
    /// What is wanted is on show.
    case open
    /// Loading is wanted. What was on show stays until then; if it is over by then, it is never shown.
    case holdingLoading(until: Duration)
    /// Loading is on show, and stays until then at least.
    case showingLoading(until: Duration)
    /// Loading is on show; something else is wanted, and comes then.
    case holdingResult(until: Duration)
  }

  enum Decision: Equatable {
    /// What is wanted may be on show, now.
    case show
    /// What is on show stays.
    case hold
  }

  private let delay: Duration
  private let minimum: Duration
  private(set) var phase = Phase.open

  init(delay: Duration, minimum: Duration) {
    self.delay = delay
    self.minimum = minimum
  }

  /// When to ask `tick(at:)`, if at all.
  var deadline: Duration? {
    switch phase {
    case .open, .showingLoading: nil
    case .holdingLoading(let time), .holdingResult(let time): time
    }
  }

  /// Loading is wanted, for the first time or again.
  mutating func wantLoading(at now: Duration) -> Decision {
    switch phase {
    case .open:
      guard delay > .zero else { return showLoading(at: now) }
      phase = .holdingLoading(until: now + delay)
      return .hold
    case .holdingLoading:
      return .hold
    case .showingLoading:
      return .show
    case .holdingResult(let time):
      // The same indicator goes on, without a gap.
      phase = .showingLoading(until: time)
      return .show
    }
  }

  /// Something else than loading is wanted.
  ///
  /// - Parameter isCancel: It was there before the loading, which came to nothing.
  mutating func wantResult(isCancel: Bool, at now: Duration) -> Decision {
    switch phase {
    case .open, .holdingLoading:
      phase = .open
      return .show
    case .showingLoading(let time), .holdingResult(let time):
      guard now < time, !isCancel else {
        phase = .open
        return .show
      }
      phase = .holdingResult(until: time)
      return .hold
    }
  }

  /// The deadline may have come.
  mutating func tick(at now: Duration) -> Decision {
    switch phase {
    case .open, .showingLoading:
      return .hold
    case .holdingLoading(let time):
      return now < time ? .hold : showLoading(at: now)
    case .holdingResult(let time):
      guard now >= time else { return .hold }
      phase = .open
      return .show
    }
  }

  private mutating func showLoading(at now: Duration) -> Decision {
    phase = .showingLoading(until: now + minimum)
    return .show
  }
}
