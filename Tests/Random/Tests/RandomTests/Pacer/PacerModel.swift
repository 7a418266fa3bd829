// SPDX-License-Identifier: MIT
import AsyncState

/// What a host with a pacer shows, written down plainly from the contract, 6.1, 6.2 and 6.6.
struct PacerModel {
  /// A status, with what it is about.
  enum Status: Hashable {
    case loading
    case error
    case data(Int)
    case noData
    case idle
  }

  /// One transition.
  struct Shown: Equatable {
    var status: Status
    var isAnimated: Bool
  }

  /// A wait of the pacer's.
  private enum Wait {
    /// For a loading to be worth showing.
    case untilLoadingShows(Int)
    /// For the displayed loading to have been there long enough.
    case untilResultShows(Int)
  }

  let setup: PacerSetup
  private var now = 0
  private var hasStarted = false

  // The data, as far as a host reads it.
  private var value: Int?
  private var isValueSet = false
  private var hasError = false
  /// The error is the one of a load that had not hidden the content.
  private var isErrorBesideContent = false
  /// Nothing was requested or written since the data was created or reset.
  private var isUntouched = true
  private(set) var mode: LoadMode?
  private var valueWrites = 0
  private var equalAnswers = 0
  private var errorWrites = 0
  /// The writes when `load` last requested.
  private var writesAtRequest = [0, 0]

  /// What is displayed, and how often value and error had been written by then.
  private(set) var onShow: Status?
  private var writesOnShow = [0, 0]
  /// When the displayed loading appeared.
  private var loadingShownAt: Int?
  /// The writes when a wanted loading last changed; nil while none is.
  private var writesWhileLoading: [Int]?
  private var wait: Wait?
  /// Something that waits was forced.
  private var waitsForced = false
  /// What was shown since the last time.
  private(set) var shown: [Shown] = []

  init(_ setup: PacerSetup) {
    self.setup = setup
    value = setup.seed
  }

  var isWaiting: Bool { wait != nil }

  var status: Status {
    if !hasStarted || mode == .reload { return .loading }
    if mode == .refresh { return value.map(Status.data) ?? (isValueSet && !hasError ? .noData : .loading) }
    if hasError, value == nil || !isErrorBesideContent { return .error }
    return value.map(Status.data) ?? (isValueSet ? .noData : isUntouched ? .loading : .idle)
  }

  // MARK: What is done

  mutating func begin() {
    shown = []
  }

  mutating func perform(_ action: PacerAction) {
    switch action {
    case .load:
      if hasStarted {
        // What a reset has left without a request is requested again.
        let isReset = isUntouched && mode == nil && !isValueSet && !hasError
        guard isReset, writesAtRequest != [valueWrites, errorWrites] else { return }
      } else {
        hasStarted = true
        update(isForced: false)
      }
      writesAtRequest = [valueWrites, errorWrites]
      request(.refresh)
    case .refresh:
      guard hasStarted else { return perform(.load) }
      request(.refresh)
    case .reload:
      guard hasStarted else { return perform(.load) }
      request(.reload)
    case .start(let next):
      mode = mode == .reload ? .reload : next
      isUntouched = false
      update(isForced: false)
    case .yield(let next):
      guard mode != nil else { return }
      mode = .refresh
      write(next)
      update(isForced: false)
    case .answer(let next):
      guard mode != nil else { return }
      mode = nil
      // An equal answer is taken, and is no news for a display.
      if next != nil && value == next { equalAnswers += 1 }
      write(next)
      update(isForced: false)
    case .fail:
      guard let failed = mode else { return }
      setError(isBesideContent: failed == .refresh)
    case .cancel:
      guard mode != nil else { return }
      mode = nil
      update(isForced: false)
    case .set(let next):
      let isSame = isValueSet && value == next
      mode = nil
      write(next)
      update(isForced: isSame)
    case .setError: setError(isBesideContent: false)
    case .clearError:
      guard hasError else { return }
      hasError = false
      isUntouched = false
      errorWrites += 1
      update(isForced: false)
    case .reset:
      reset()
      update(isForced: false)
    case .invalidate: update(isForced: true)
    }
  }

  private mutating func request(_ mode: LoadMode) {
    if case .start = setup.request { perform(.start(mode)) } else { perform(setup.request) }
  }

  private mutating func reset() {
    mode = nil
    value = setup.seed
    isValueSet = false
    isUntouched = true
    hasError = false
    valueWrites += 1
  }

  private mutating func setError(isBesideContent: Bool) {
    mode = nil
    hasError = true
    isErrorBesideContent = isBesideContent
    isUntouched = false
    errorWrites += 1
    update(isForced: false)
  }

  private mutating func write(_ next: Int?) {
    value = next
    isValueSet = true
    isUntouched = false
    hasError = false
    valueWrites += 1
  }

  mutating func tick() {
    now += 1
    switch wait {
    case .untilLoadingShows(let time) where time == now, .untilResultShows(let time) where time == now:
      wait = nil
      let isForced = waitsForced
      waitsForced = false
      show(isForced: isForced)
    case .untilLoadingShows, .untilResultShows, nil: break
    }
  }

  // MARK: Showing

  private mutating func update(isForced: Bool) {
    guard hasStarted else { return }
    if status == .loading { wantLoading(isForced) } else { wantResult(isForced) }
  }

  private mutating func wantLoading(_ isForced: Bool) {
    writesWhileLoading = [valueWrites, errorWrites]
    if loadingShownAt != nil {
      // The same indicator stays, whatever was to follow it.
      wait = nil
      waitsForced = false
      show(isForced: isForced)
    } else if setup.delay == 0 {
      show(isForced: isForced)
    } else {
      waitsForced = waitsForced || isForced
      if wait == nil { wait = .untilLoadingShows(now + setup.delay) }
    }
  }

  private mutating func wantResult(_ isForced: Bool) {
    let isCancel = writesWhileLoading == [valueWrites, errorWrites] || status == .idle
    writesWhileLoading = nil
    if let since = loadingShownAt, now < since + setup.minimum, !isCancel {
      waitsForced = waitsForced || isForced
      wait = .untilResultShows(since + setup.minimum)
    } else {
      wait = nil
      waitsForced = false
      show(isForced: isForced)
    }
  }

  private mutating func show(isForced: Bool) {
    let writes = [valueWrites - equalAnswers, errorWrites]
    let next = status
    let isNews =
      switch (onShow, next) {
      case (nil, _): true
      case (.data, .data): writes[0] != writesOnShow[0]
      case (.error, .error): writes[1] != writesOnShow[1]
      default: onShow != next
      }
    let isFirst = onShow == nil
    if next != .loading { loadingShownAt = nil } else if loadingShownAt == nil { loadingShownAt = now }
    guard isNews || isForced else { return }
    onShow = next
    writesOnShow = writes
    shown.append(Shown(status: next, isAnimated: !isForced && !isFirst))
  }
}
