import AsyncState

/// What a host with a pacer shows, written down plainly from the contract, 6.1, 6.2 and 6.6.
struct PacerModel {
  /// A status, with what it is about.
  enum Status: Hashable {
    case loading
    case error
    case data(Int)
    case noData
  }

  /// One transition.
  struct Shown: Equatable, CustomStringConvertible {
    var status: Status
    var isAnimated: Bool
    var description: String { "\(status) \(letter(isAnimated))" }
  }

  /// A wait of the pacer's.
  private enum Wait {
    /// For a loading to be worth showing.
    case untilLoadingShows(Int)
    /// For the loading on show to have been there long enough.
    case untilResultShows(Int)
  }

  let setup: PacerSetup
  private var now = 0
  private var hasStarted = false
  /// The writes when a reload had reset the data; nil when its request has changed something since.
  private var restartedAfter: [Int]?

  // The facts, as far as a host looks at them.
  private var value: Int?
  private var isValueSet = false
  private var hasError = false
  private(set) var mode: LoadMode?
  private var valueWrites = 0
  private var errorWrites = 0

  /// What is on show, and how often value and error had been written by then.
  private(set) var onShow: Status?
  private var writesOnShow = [0, 0]
  /// When the loading came that is on show.
  private var loadingShownAt: Int?
  /// The writes when a loading began to be wanted; nil while none is.
  private var writesBeforeLoading: [Int]?
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
    if hasError { return .error }
    return value.map(Status.data) ?? (isValueSet ? .noData : .loading)
  }

  // MARK: What is done

  mutating func begin() {
    shown = []
  }

  mutating func perform(_ action: PacerAction) {
    switch action {
    case .load:
      guard !hasStarted else { return }
      hasStarted = true
      update(isForced: false)
      request(status == .loading ? .reload : .refresh)
    case .refresh:
      guard hasStarted else { return perform(.load) }
      request(.refresh)
    case .reload:
      guard hasStarted else { return perform(.load) }
      reset()
      restartedAfter = [valueWrites, errorWrites]
      request(.reload)
    case .start(let next):
      mode = mode == .reload ? .reload : next
      update(isForced: false)
    case .yield(let next):
      guard mode != nil else { return }
      mode = .refresh
      write(next)
      update(isForced: false)
    case .answer(let next):
      guard mode != nil else { return }
      mode = nil
      write(next)
      update(isForced: false)
    case .fail:
      guard mode != nil else { return }
      perform(.setError)
    case .cancel:
      guard mode != nil else { return }
      mode = nil
      update(isForced: false)
    case .set(let next):
      let isSame = isValueSet && value == next
      mode = nil
      write(next)
      update(isForced: isSame)
    case .setError:
      mode = nil
      hasError = true
      errorWrites += 1
      update(isForced: false)
    case .clearError:
      hasError = false
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
    hasError = false
    valueWrites += 1
  }

  private mutating func write(_ next: Int?) {
    value = next
    isValueSet = true
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
    if let writes = restartedAfter {
      restartedAfter = nil
      // An answer that is given by hand comes after the loading status.
      if mode == nil {
        if writesBeforeLoading == nil { writesBeforeLoading = writes }
        wantLoading(false, showing: .loading)
      }
    }
    if status == .loading { wantLoading(isForced) } else { wantResult(isForced) }
  }

  private mutating func wantLoading(_ isForced: Bool, showing: Status? = nil) {
    if writesBeforeLoading == nil { writesBeforeLoading = [valueWrites, errorWrites] }
    if loadingShownAt != nil {
      // The same indicator goes on, whatever was to come after it.
      wait = nil
      waitsForced = false
      show(showing, isForced: isForced)
    } else if setup.delay == 0 {
      show(showing, isForced: isForced)
    } else {
      waitsForced = waitsForced || isForced
      if wait == nil { wait = .untilLoadingShows(now + setup.delay) }
    }
  }

  private mutating func wantResult(_ isForced: Bool) {
    let isCancel = writesBeforeLoading == [valueWrites, errorWrites]
    writesBeforeLoading = nil
    if let since = loadingShownAt, now < since + setup.minimum, !isCancel {
      waitsForced = waitsForced || isForced
      wait = .untilResultShows(since + setup.minimum)
    } else {
      wait = nil
      waitsForced = false
      show(isForced: isForced)
    }
  }

  private mutating func show(_ showing: Status? = nil, isForced: Bool) {
    let writes = [valueWrites, errorWrites]
    let next = showing ?? status
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
