// SPDX-License-Identifier: MIT
// A client of every public symbol of data: of AsyncData, what it presents, how it is loaded, and what a load says.
// also with: -default-isolation MainActor
// also with: -enable-upcoming-feature NonisolatedNonsendingByDefault
// also with: -strict-memory-safety

import AsyncState

nonisolated struct Weather: Equatable, Sendable {
  var degrees = 20

  static func now() async throws -> Weather { Weather() }
}

nonisolated struct Unreachable: Error {}

/// What a screen without a resource does: it keeps data and loads it itself.
@MainActor
final class WeatherScreen: @MainActor AsyncDataDelegate {
  let weather = AsyncData<Weather>()
  let seeded = AsyncData(seed: Weather(), options: LoadOptions(staleAfter: .seconds(60)))
  let restored = AsyncResource.preview(AsyncSnapshot.value(Weather(), isStale: true)).data
  private(set) var texts: [String] = []

  init() {
    weather.delegate = self
  }

  func asyncDataDidChange(_ data: AsyncData<Weather>, forced: Bool) {
    texts.append("\(data.description), \(forced ? "forced" : "changed"), \(data.customMirror.children.count)")
  }

  func appear() async {
    if weather.delegate == nil { return }
    await weather.load(.reload) { try await .now() }
    await weather.load { reporter in
      reporter.report(progress: 0.5)
      try reporter.yield(reporter.current)
      print(reporter)
      return try await .now()
    }
    let running = weather.start(.refresh) { reporter in
      reporter.report(progress: nil)
      return try await .now()
    }
    switch await running.outcome() {
    case .success(let value): texts.append("\(value as Any)")
    case .notRequested(let value): texts.append("not requested: \(value as Any)")
    case .failure(let error): texts.append("\(error)")
    case .cancelled, .superseded: running.cancel()
    }
    texts.append(running.description)
  }

  func warmer() async -> AsyncOutcome<Weather?> {
    await weather.mutate {
      $0.degrees += 1
    } commit: {
      try await Weather.now()
    }
  }

  func pushed(_ now: Weather) {
    weather.receive(now)
    weather.update { $0.degrees += 1 }
  }

  func leave() {
    weather.invalidate()
    weather.cancel()
    weather.reset()
    weather.value = Weather(degrees: 0)
    weather.error = Unreachable()
  }

  // What is inlined into a client may use only what the library exports: the compiler has crashed on the first read of data.
  var line: String {
    """
    \(weather.age as Any) \(weather.value as Any) \(weather.error as Any) \(weather.hasPendingChanges) \(weather.isLoading)
    \(weather.isRunning) \(weather.isStale) \(weather.isWaiting) \(weather.snapshot) \(weather.observed.current)
    \(weather.status) \(weather.status(policy: DisplayPolicy(idle: .idle)))
    """
  }
}

/// An interface with callbacks answers the load that it began.
@MainActor
final class Sensor {
  let weather = AsyncData<Weather>()
  private var pending: PendingLoad<Weather>?

  func connect() async -> AsyncOutcome<Weather?> {
    let pending = weather.begin(.refresh)
    self.pending = pending
    print(pending)
    return await pending.task.outcome()
  }

  func measured(_ weather: Weather?, isFinal: Bool) {
    pending?.report(progress: isFinal ? 1 : 0.5)
    if isFinal { pending?.succeed(with: weather) } else { pending?.yield(weather) }
  }

  func lost() {
    pending?.fail(with: Unreachable())
  }
}

/// What a screen can read of a snapshot.
@MainActor
func summary(of snapshot: AsyncSnapshot<Weather>) -> [String] {
  let isBusy = snapshot.isLoading || snapshot.isRunning || snapshot.isWaiting
  var texts = [snapshot.isProvisional ? "provisional" : "final", isBusy ? "busy" : "at rest", snapshot.description]
  texts.append("\(snapshot.value as Any), \(snapshot.error as Any)")
  return texts + (snapshot.activity.map { summary(of: $0) } ?? [])
}

@MainActor
func summary(of activity: LoadActivity) -> [String] {
  let failure = activity.lastFailure.map { "\($0)" } ?? "none"
  return [
    "\(activity.description): \(activity.mode), \(activity.progress ?? 0)",
    "\(activity.failures) failures, last: \(failure)",
  ]
}

/// The snapshots of a preview.
@MainActor
func previews() -> [AsyncSnapshot<Weather>] {
  [
    .loading, .value(Weather()), .value(nil), .failed(Unreachable()),
    .failed(Unreachable(), keeping: Weather(), mode: .reload),
  ]
}

/// Several snapshots as one.
@MainActor
func combined(_ here: AsyncSnapshot<Weather>, _ there: AsyncSnapshot<Weather>) -> [String] {
  let both = zip(here, there)
  let rows = here.value.map { AsyncSnapshot.value([$0]) } ?? .loading
  let policy = DisplayPolicy<[Weather]>.emptyIsNoData(errors: .always, idle: .idle)
  return [
    text(of: both.status), text(of: rows.status(policy: policy)),
    text(of: determineState(here, policy: DisplayPolicy(errors: .afterReload))), "\(policy)",
  ]
}

@MainActor
func text<Value>(of status: AsyncStatus<Value>) -> String {
  let kinds = AsyncStatusKind.allCases.map { kind in
    switch kind {
    case .loading: "…"
    case .noData: "–"
    case .idle: "not loaded"
    case .waiting: "waiting"
    case .error: "!"
    case .data: "="
    }
  }
  return switch status.map({ "\($0)" }) {
  case .loading: kinds[0]
  case .noData: "nothing"
  case .idle: "not loaded"
  case .waiting: "waiting"
  case .error(let error): "\(error), \(status.error as Any)"
  case .data(let text): "\(status.kind): \(text), \(status.value as Any), \(status.description)"
  }
}

/// What a person may choose in the settings.
nonisolated struct Preferences: Hashable, Sendable {
  var errors = ErrorDisplay.afterReload
  var idle = IdleDisplay.loading
  var mode = LoadMode.refresh
}

/// What an app decides once: how it loads, and what it displays of it.
@MainActor
func settings(gate: LoadGate) -> (LoadOptions, DisplayPolicy<Weather>) {
  var options = LoadOptions(
    staleAfter: .seconds(60), retry: .never, timeout: .seconds(10), clock: ContinuousClock(), interceptors: [Logging()],
    gate: gate)
  options.staleAfter = options.timeout.map { $0 * 6 }
  options.timeout = .seconds(20)
  options.retry = .exponential(
    first: .milliseconds(100), factor: 3, ceiling: .seconds(10), retries: 5, jitter: { $0 * Double.random(in: 0.5...1) }
  )
  options.retry = options.retry.honouring { error in error is LoadTimeoutError ? .seconds(5) : nil }
  options.retry = 3
  options.retry = RetryPolicy { failed in failed.error is LoadTimeoutError && failed.count < 3 ? .seconds(1) : nil }
  let patience: @Sendable (RetryPolicy.FailedAttempt) -> Duration? = { failed in .seconds(failed.count) }
  options.retry = RetryPolicy(delay: patience)
  options.clock = SuspendingClock()
  options.interceptors.append(Logging())
  options.gate = gate
  print(options.retry, options.clock.minimumResolution, options.gate === gate)
  let plain = DisplayPolicy<Weather>()
  return (options, options.timeout == nil ? plain : DisplayPolicy(errors: .never, idle: .loading) { $0.degrees == 0 })
}

nonisolated struct Logging: LoadInterceptor {
  func intercept<Value>(_ attempt: LoadAttempt<Value>, isolation: isolated (any Actor)?) async throws -> Value {
    do {
      return try await attempt()
    } catch {
      print(error)
      return try await attempt.callAsFunction()
    }
  }
}

/// Offline: what is requested waits.
@MainActor
final class Connection {
  let gate = LoadGate(isOpen: false, width: 4)
  private var token: ObservedToken?

  func start(isOnline: Observed<Bool>) {
    token = gate.follow(isOnline)
  }

  func switched() {
    if gate.isOpen { gate.close() } else { gate.open() }
    token?.cancel()
    print(gate.description, token as Any)
  }
}

@MainActor
func requests(_ weather: AsyncData<Weather>) async throws -> Weather? {
  let conditions: [LoadCondition] = [.always, .stale]
  for condition in conditions {
    print(condition)
    let outcome = await weather.load { try await .now() }
    do {
      if let value = try outcome.get() { return value }
    } catch is LoadTimeoutError {
      print(outcome.description)
      throw LoadTimeoutError()
    }
  }
  throw NoDataError()
}
