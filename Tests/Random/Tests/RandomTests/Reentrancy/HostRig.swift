// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

/// A host in use, with user code wherever it takes any.
@MainActor
final class HostRig: ReentryRig {
  enum Callback: CaseIterable {
    case loading, error, noData, data, children, apply, errorText, operation, willTransition, didTransition, delegate
    case observer, childWillAppear, childDidDetach, trackedStart, trackedStatus, trackedPart
    case trackedDisplay, trackedIndicator
  }

  enum Method: CaseIterable {
    case read, load, write, writeSame, writeNil, writeError, clearError, reset, invalidate, cancel, start, forward,
      back
    case request, reload, refresh, boardReload, dropPresenter, dropHost, secondHost
  }

  enum Kind: CaseIterable {
    case presenter, board, children, pacedPresenter, pacedChildren, pacedStatus
  }

  /// What was displayed last, by whatever displays it.
  final class Screen: AsyncStatusPresenter, AsyncContent {
    let reentry: Reentry<HostRig>
    var shown = ""

    init(_ reentry: Reentry<HostRig>) { self.reentry = reentry }

    private func show(_ what: String, _ callback: Callback) {
      shown = what
      reentry.reached(callback)
    }

    func transitionToLoading(animated: Bool) { show("loading", .loading) }
    func transitionToError(_ error: any Error, animated: Bool) { show("error", .error) }
    func transitionToNoData(animated: Bool) { show("noData", .noData) }
    func transitionToIdle(animated: Bool) { show("idle", .noData) }
    func transitionToWaiting(animated: Bool) { show("waiting", .noData) }
    func transitionToData(_ value: Int, animated: Bool) { show("data \(value)", .data) }
    func apply(_ value: Int, animated: Bool) { show("data \(value)", .apply) }

    var canReload: Bool {
      reentry.reached(.errorText)
      return true
    }
  }

  final class Child: ChildController {
    let name: String
    let reentry: Reentry<HostRig>

    init(_ name: String, _ reentry: Reentry<HostRig>) {
      self.name = name
      self.reentry = reentry
    }

    func willAppear(animated: Bool) { reentry.reached(.childWillAppear) }
    func didDetach() { reentry.reached(.childDidDetach) }
  }

  /// The same child for the same status.
  final class Cast {
    private var children: [String: Child] = [:]
    private let reentry: Reentry<HostRig>

    init(_ reentry: Reentry<HostRig>) { self.reentry = reentry }

    func child(_ status: AsyncStatus<Int>) -> Child {
      let name = HostRig.name(status)
      let child = children[name] ?? Child(name, reentry)
      children[name] = child
      return child
    }
  }

  final class Delegate: StateContainerDelegate, AsyncDataDelegate {
    let reentry: Reentry<HostRig>

    init(_ reentry: Reentry<HostRig>) { self.reentry = reentry }

    func container(_: StateContainer<AsyncStatus<Int>>, willTransitionTo nextState: AsyncStatus<Int>, animated: Bool) {
      reentry.reached(.willTransition)
    }

    func container(
      _: StateContainer<AsyncStatus<Int>>, didTransitionFrom previousState: AsyncStatus<Int>?, animated: Bool
    ) {
      reentry.reached(.didTransition)
    }

    func asyncDataDidChange(_ data: AsyncData<Int>, forced: Bool) { reentry.reached(.delegate) }
  }

  struct Broken: Error {}

  let reentry: Reentry<HostRig>
  private let kind: Kind
  private let clock = ManualClock()
  private let resource: AsyncResource<Int>
  private let data: AsyncData<Int>
  private var host: AsyncHost<Int>?
  private weak var weakHost: AsyncHost<Int>?
  private weak var weakBoard: StatusBoard<Int>?
  private weak var weakDisplay: PacedStatus<Int>?
  private var others: [AsyncHost<Int>] = []
  private var screen: Screen?
  private var board: StatusBoard<Int>?
  private var paced: PacedStatus<Int>?
  private let delegate: Delegate
  private var token: ObservedToken?
  private var handles: [LoadTask<Int>] = []

  init(_ kind: Kind, _ reentry: Reentry<HostRig>) {
    self.reentry = reentry
    self.kind = kind
    delegate = Delegate(reentry)
    let cast = Cast(reentry)
    let screen = Screen(reentry)
    self.screen = screen
    let operation: @MainActor () async throws -> Int? = {
      reentry.reached(.operation)
      return 1
    }
    let pacer: DisplayPacer? =
      switch kind {
      case .pacedPresenter, .pacedChildren: DisplayPacer(delay: .seconds(1), minimum: .seconds(1), clock: clock)
      // Whatever is held back is displayed as soon as a reader writes.
      case .pacedStatus: DisplayPacer(delay: .seconds(1), minimum: .zero, clock: clock)
      default: nil
      }
    resource = AsyncResource(operation: operation)
    data = resource.data
    let host: AsyncHost<Int>
    switch kind {
    case .presenter, .pacedPresenter, .board:
      host = AsyncHost(resource, pacer: pacer)
      if kind == .board {
        let board = StatusBoard(content: screen, resource)
        self.board = board
        host.presenter = board
      } else {
        host.presenter = screen
      }
    case .children, .pacedChildren, .pacedStatus:
      if kind == .pacedStatus, let pacer { paced = PacedStatus(resource, pacer: pacer) }
      host = AsyncHost(resource, pacer: pacer) { status in
        reentry.reached(.children)
        return [cast.child(status)]
      }
    }
    self.host = host
    (weakHost, weakBoard, weakDisplay) = (host, board, paced)
    host.container.delegate = delegate
    token = data.observed.observe { _ in reentry.reached(.observer) }
    data.delegate = delegate
    reentry.track(.trackedStart) { [weak host] in _ = host?.hasStarted }
    reentry.track(.trackedStatus) { [weak host] in _ = host?.status }
    reentry.track(.trackedPart) { [weak board] in _ = board?.visiblePart }
    reentry.track(.trackedDisplay) { [weak paced] in _ = paced?.status }
    reentry.track(.trackedIndicator) { [weak paced] in _ = paced?.isRunning }
  }

  nonisolated static func name(_ status: AsyncStatus<Int>) -> String {
    switch status.kind {
    case .loading: "loading"
    case .error: "error"
    case .noData: "noData"
    case .idle: "idle"
    case .waiting: "waiting"
    case .data: if case .data(let value) = status { "data \(value)" } else { "" }
    }
  }

  /// What is displayed, and nil where nothing is to be compared.
  private var displayed: String? {
    switch kind {
    case .presenter, .pacedPresenter: return screen?.shown
    case .board:
      guard let screen, let board else { return nil }
      return switch board.visiblePart {
      case .nothing: nil
      case .indicator: "loading"
      case .error: "error"
      case .noData(let message, _): message == StandardTexts.idle ? "idle" : "noData"
      case .content: screen.shown
      }
    case .pacedStatus: return paced?.status.map(Self.name)
    case .children, .pacedChildren: return (host?.container.children.last as? Child)?.name
    }
  }

  // MARK: The scenario

  func run() async {
    host?.container.willAppear(animated: false)
    host?.container.didAppear(animated: false)
    host?.start()
    await pass()
    data.value = 2
    data.error = Broken()
    await pass()
    data.error = nil
    data.value = nil
    data.value = 3
    data.value = 3
    data.reset()
    await pass()
    handles.append(data.start { 4 })
    await pass()
    // One that takes long.
    let load = data.begin()
    await pass()
    load.succeed(with: 6)
    host?.container.willDisappear(animated: false)
    host?.container.didDisappear(animated: false)
    data.value = 5
    host?.container.willAppear(animated: false)
    host?.container.didAppear(animated: false)
    await pass()
  }

  /// All loads and all pacing have come to their end.
  private func pass() async {
    for _ in 0..<4 { await turnOfTheMainActor() }
    await clock.advance(by: .seconds(10))
    for _ in 0..<4 { await turnOfTheMainActor() }
  }

  // MARK: The methods

  func call(_ method: Method) {
    switch method {
    case .read:
      _ = (host?.status, host?.container.children, host?.hasStarted, board?.visiblePart, paced?.status, data.snapshot)
    case .load: host?.start()
    case .write: data.value = 20
    case .writeSame: data.value = data.value
    case .writeNil: data.value = nil
    case .writeError: data.error = Broken()
    case .clearError: data.error = nil
    case .reset: data.reset()
    case .invalidate: data.invalidate()
    case .cancel: data.cancel()
    case .start: handles.append(data.start { 21 })
    case .forward: if host?.container.appearance != .visible { host?.container.step(towards: .visible) }
    case .back: host?.container.step(towards: .gone)
    case .request: host?.container.setNeedsTransition(to: .loading, animated: true)
    case .reload: if let host { handles.append(host.reload()) }
    case .refresh: if let host { handles.append(host.refresh()) }
    case .boardReload: board?.reload()
    case .dropPresenter:
      _ = screen.take()
      _ = board.take()
      _ = paced.take()
    case .dropHost: _ = host.take()
    case .secondHost:
      let other = AsyncHost(resource) { _ in [] }
      other.start()
      others.append(other)
    }
  }

  // MARK: The laws

  func expectAllIsWell(_ what: String) async {
    reentry.end()
    data.cancel()
    for handle in handles { await handle.outcome() }
    await pass()
    host?.start()
    for _ in 0..<4 {
      guard let container = host?.container, container.appearance != .visible else { break }
      container.step(towards: .visible)
    }
    await pass()
    for (number, error) in [(98, false), (99, true)] {
      if error { data.error = Broken() } else { data.value = number }
      await pass()
      guard let host else { continue }
      let wanted = error ? "error" : "data \(number)"
      #expect(Self.name(host.status) == wanted, "6.2, \(what)")
      if let displayed { #expect(displayed == wanted, "1.4, \(what)") }
    }
    #expect(clock.sleeperCount == 0, "\(what)")
    let isDropped = host == nil
    _ = (host.take(), board.take(), paced.take())
    _ = others.takeAll()
    await pass()
    #expect(weakHost == nil && weakBoard == nil && weakDisplay == nil, "1.6, \(what)\(isDropped ? ", dropped" : "")")
  }
}
