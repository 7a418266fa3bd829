// SPDX-License-Identifier: MIT
/// What is fixed for one sequence of a stream, or of a load that takes its first element.
struct StreamSetup: Sendable {
  /// False: each load is answered by the first element of its connection, which is left then.
  let isLive: Bool
  /// A connection that is left continues as if nothing had happened.
  let isDeaf: Bool
  let retries: Int
  let pause: Int
  let timeout: Int?
  let width: Int?
}

/// What can happen to a resource that connects to a server.
enum StreamCommand: Sendable {
  case start
  case reload
  case refresh
  case cancel
  case reset
  case invalidate
  case setValue
  case setError
  case receive
  case tick
  case open
  case close
  case closeAndOpen
  case element
  case end
  case fail
  case interrupt
  /// A connection that was left has an element, and then an error.
  case late
}

/// The words of the errors that come up.
enum StreamError: String {
  case failed, timeout, interrupted, byHand
}

/// Loads, streams, retries and time limits as a plain program: one state, and a clock that counts.
struct StreamModel {
  struct Load {
    enum Phase: Equatable {
      case waiting
      case connecting(Int)
      case pausing(until: Int)
    }

    var phase = Phase.waiting
    var failures = 0
    /// The time is running until then; nil: it stands still, or there is no limit.
    var deadline: Int?
    /// What is left while it stands still.
    var left: Int?
    /// True if the gate has closed since the time began to run.
    var hasGateClosed = false
    var isOvertaken = false
  }

  struct Stream {
    let connection: Int
    let failures: Int
    let openedAt: Int
  }

  let setup: StreamSetup
  private(set) var now = 0
  private(set) var isOpen = true
  private(set) var value: Int?
  private(set) var error: StreamError?
  private(set) var load: Load?
  private(set) var stream: Stream?
  private var isInvalid = false
  /// The answer may be older than a value that was received beside it.
  private var isInDoubt = false
  private var hasFailed = false
  private var hasAnswer = false
  private(set) var connections = 0

  init(_ setup: StreamSetup) { self.setup = setup }

  // MARK: Reading

  var isStale: Bool { isInvalid || isInDoubt || hasFailed || !hasAnswer || setup.isLive && stream == nil }
  var isWaiting: Bool { load?.phase == .waiting }

  /// The connection whose elements count.
  var connection: Int? {
    if case .connecting(let connection) = load?.phase { return connection }
    return stream?.connection
  }

  /// The number of requests that have room at the gate.
  var roomCount: Int {
    if case .connecting = load?.phase, setup.width != nil { 1 } else { 0 }
  }

  var sleeperCount: Int {
    let isPausing = if case .pausing = load?.phase { true } else { false }
    return (load?.deadline == nil ? 0 : 1) + (isPausing ? 1 : 0)
  }

  // MARK: Requests

  mutating func start() {
    if load == nil, stream == nil || isStale { begin() }
  }

  mutating func begin() {
    stream = nil
    load = Load(left: setup.timeout)
    goOn()
  }

  /// Begins what is due: it connects, or waits at the gate.
  private mutating func goOn() {
    guard var load else { return }
    if isOpen {
      connections += 1
      load.phase = .connecting(connections)
      if load.deadline == nil, let left = load.left {
        load.deadline = now + left
        load.hasGateClosed = false
      }
    } else {
      load.phase = .waiting
      if let deadline = load.deadline { load.left = deadline - now }
      load.deadline = nil
    }
    self.load = load
  }

  mutating func endAll() {
    load = nil
    stream = nil
  }

  mutating func reset() {
    endAll()
    (value, error, isInvalid, isInDoubt, hasFailed, hasAnswer) = (nil, nil, false, false, false, false)
  }

  mutating func invalidate() {
    if load == nil { isInvalid = true }
  }

  mutating func set(_ value: Int) {
    load = nil
    (isInvalid, isInDoubt) = (false, false)
    take(value)
  }

  mutating func setError() {
    load = nil
    (error, hasFailed) = (.byHand, true)
  }

  mutating func receive(_ value: Int) {
    if load == nil { isInDoubt = false } else { load?.isOvertaken = true }
    take(value)
  }

  private mutating func take(_ value: Int?) {
    (self.value, error, hasFailed, hasAnswer) = (value, nil, false, true)
  }

  // MARK: The server

  mutating func element(_ element: Int) {
    if let load, case .connecting(let connection) = load.phase {
      answer(element, of: load)
      if setup.isLive { stream = Stream(connection: connection, failures: load.failures, openedAt: now) }
    } else if stream != nil {
      receive(element)
    }
  }

  private mutating func answer(_ element: Int?, of load: Load) {
    self.load = nil
    (isInvalid, isInDoubt) = (false, load.isOvertaken)
    take(element)
  }

  mutating func end() {
    if let load, case .connecting = load.phase {
      answer(nil, of: load)
    } else if stream != nil {
      stream = nil
    }
  }

  mutating func fail(_ error: StreamError) {
    if let load, case .connecting = load.phase {
      fail(error, load)
    } else if let former = stream {
      stream = nil
      let hasLasted = now - former.openedAt >= max(former.failures == 0 ? 0 : setup.pause, 1)
      fail(error, Load(failures: hasLasted ? 0 : former.failures, left: setup.timeout))
    }
  }

  private mutating func fail(_ error: StreamError, _ former: Load) {
    guard former.failures < setup.retries else {
      load = nil
      (self.error, hasFailed) = (error, true)
      return
    }
    var load = former
    load.failures += 1
    if setup.isLive { (load.deadline, load.left) = (nil, setup.timeout) }
    load.phase = .pausing(until: now + setup.pause)
    self.load = load
    if setup.pause == 0 { goOn() }
  }

  // MARK: The gate and the clock

  mutating func set(isOpen: Bool) {
    guard self.isOpen != isOpen else { return }
    self.isOpen = isOpen
    load?.hasGateClosed = true
    if isOpen, isWaiting { goOn() }
  }

  mutating func tick() {
    now += 1
    if let deadline = load?.deadline, deadline <= now { timeIsOver() }
    if case .pausing(let end) = load?.phase, end <= now { goOn() }
  }

  private mutating func timeIsOver() {
    guard var load else { return }
    guard load.hasGateClosed else {
      if setup.isLive { return fail(.timeout, load) }
      self.load = nil
      (error, hasFailed) = (.timeout, true)
      return
    }
    (load.deadline, load.left) = (nil, setup.timeout)
    self.load = load
    goOn()
  }
}
