// SPDX-License-Identifier: MIT
/// Decides when a status may be displayed, so that an indicator neither flashes nor flickers.
///
/// Of a status it knows only if it is loading. Boundaries are inclusive. No clock is read where no time is measured.
struct PacingMachine {
  enum Phase: Equatable {
    /// The wanted status is displayed.
    case open
    /// Loading is wanted, and displayed at that time. Until then the previous status stays, or nothing is displayed.
    case holdingLoading(until: Duration)
    /// Loading is displayed, and stays until that time at least.
    case displayingLoading(until: Duration)
    /// Loading is displayed. A result is wanted, and displayed at that time.
    case holdingResult(until: Duration)
  }

  enum Decision: Equatable {
    /// The wanted status may be displayed now.
    case display
    /// The displayed status stays.
    case hold
    /// The displayed status must not stay, and the wanted one is not displayed yet: nothing is displayed.
    case clear
  }

  private let delay: Duration
  private let minimum: Duration
  private(set) var phase = Phase.open

  init(delay: Duration, minimum: Duration) {
    self.delay = delay
    self.minimum = minimum
  }

  /// The time at which to call `tick(at:)`; nil if nothing is held back.
  var deadline: Duration? {
    switch phase {
    case .open, .displayingLoading: nil
    case .holdingLoading(let time), .holdingResult(let time): time
    }
  }

  /// Decides about a loading that is wanted, for the first time or again.
  ///
  /// - Parameter mayHold: True if the displayed status may stay until then. If not, nothing is displayed until then.
  mutating func wantLoading(mayHold: Bool = true, at now: @autoclosure () -> Duration) -> Decision {
    switch phase {
    case .open:
      guard delay > .zero else { return displayLoading(at: now()) }
      phase = .holdingLoading(until: now() + delay)
      return mayHold ? .hold : .clear
    case .holdingLoading:
      return mayHold ? .hold : .clear
    case .displayingLoading:
      return .display
    case .holdingResult(let time):
      // The same indicator stays, without a gap.
      phase = .displayingLoading(until: time)
      return .display
    }
  }

  /// Decides about a loading whose request has not begun: until it does, the displayed status stays, or nothing is displayed.
  mutating func expectLoading(mayHold: Bool, at now: @autoclosure () -> Duration) -> Decision {
    switch phase {
    case .open, .holdingLoading:
      guard mayHold || delay > .zero else { return displayLoading(at: now()) }
      phase = .open
      return mayHold ? .hold : .clear
    case .displayingLoading, .holdingResult:
      return wantLoading(mayHold: mayHold, at: now())
    }
  }

  /// Decides about a result, which is any status but loading.
  ///
  /// - Parameter isCancel: True if it is no answer, or the one from before the loading, which was cancelled.
  mutating func wantResult(isCancel: Bool, at now: @autoclosure () -> Duration) -> Decision {
    switch phase {
    case .open, .holdingLoading:
      phase = .open
      return .display
    case .displayingLoading(let time), .holdingResult(let time):
      guard !isCancel, now() < time else {
        phase = .open
        return .display
      }
      phase = .holdingResult(until: time)
      return .hold
    }
  }

  /// Decides again when the deadline may have been reached.
  mutating func tick(at now: Duration) -> Decision {
    switch phase {
    case .open, .displayingLoading:
      return .hold
    case .holdingLoading(let time):
      return now < time ? .hold : displayLoading(at: now)
    case .holdingResult(let time):
      guard now >= time else { return .hold }
      phase = .open
      return .display
    }
  }

  /// Measures the minimum from now, because the loading is displayed only now.
  mutating func loadingIsDisplayed(at now: Duration) {
    switch phase {
    case .displayingLoading: phase = .displayingLoading(until: now + minimum)
    case .holdingResult: phase = .holdingResult(until: now + minimum)
    case .open, .holdingLoading: break
    }
  }

  private mutating func displayLoading(at now: Duration) -> Decision {
    phase = .displayingLoading(until: now + minimum)
    return .display
  }
}
