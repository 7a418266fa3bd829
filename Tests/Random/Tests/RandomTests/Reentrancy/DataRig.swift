// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

/// Data in use, with user code wherever the library takes any.
@MainActor
final class DataRig: ReentryRig {
  enum Callback: CaseIterable {
    case delegate, observer, transform, operation, patch, commit, clock, equality, retry, interval, release
    case trackedValue, trackedError, trackedActivity
  }

  enum Method: CaseIterable {
    case read, writeSame, writeOther, writeNil, writeError, clearError, reset, invalidate, cancel, start, startNamed
    case startStale, startAfterInvalidation, begin, beginAndDrop, mutateTwice, startAndCancel, cancelCurrent, load,
      mutate, observe, cancelToken, dropToken, dropDelegate, replaceDelegate
    case dropData

    /// Those that change nothing before they return.
    static let readers: [Method] = [
      .read, .mutateTwice, .load, .mutate, .observe, .cancelToken, .dropToken, .dropDelegate, .replaceDelegate,
      .dropData,
    ]
  }

  /// A value that is compared and released by user code.
  struct Item: Equatable {
    let number: Int
    let reentry: Reentry<DataRig>
    let farewell: Farewell

    init(_ number: Int, _ reentry: Reentry<DataRig>) {
      self.number = number
      self.reentry = reentry
      farewell = Farewell { reentry.reached(.release) }
    }

    static func == (left: Item, right: Item) -> Bool {
      left.reentry.computing(.equality) { left.number == right.number }
    }
  }

  struct Parts: Equatable {
    var number: Int?
    var isValueSet: Bool
    var hasError: Bool
    var isRunning: Bool

    init(_ snapshot: AsyncSnapshot<Item>) {
      number = snapshot.value?.number
      isValueSet = snapshot.isValueSet
      hasError = snapshot.error != nil
      isRunning = snapshot.isRunning
    }
  }

  final class Delegate: AsyncDataDelegate {
    let reentry: Reentry<DataRig>
    var last: Parts?
    var count = 0

    init(_ reentry: Reentry<DataRig>) { self.reentry = reentry }

    func asyncDataDidChange(_ data: AsyncData<Item>, forced: Bool) {
      count += 1
      last = Parts(data.snapshot)
      reentry.reached(.delegate)
    }

  }

  struct Broken: Error {}

  /// What the observers have been called with. Apart, so that no closure keeps the rig.
  final class Log {
    var last: Parts?
    var count = 0
  }

  let reentry: Reentry<DataRig>
  private let clock: HookedClock<DataRig>
  private var data: AsyncData<Item>?
  private weak var weakData: AsyncData<Item>?
  private var delegate: Delegate?
  private let log = Log()
  private var token: ObservedToken?
  private var isCancelled = false
  private var tokens: [ObservedToken] = []
  private var handles: [LoadTask<Item>] = []
  private var tasks: [Task<Void, Never>] = []
  private var current: LoadTask<Item>?

  init(_: OneKind, _ reentry: Reentry<DataRig>) {
    self.reentry = reentry
    clock = HookedClock(reentry, .clock)
    let data = AsyncData<Item>(options: LoadOptions(staleAfter: .seconds(1), clock: clock))
    self.data = data
    weakData = data
    delegate = Delegate(reentry)
    data.delegate = delegate
    let log = log
    token = data.observed.observe { snapshot in
      log.last = Parts(snapshot)
      log.count += 1
      reentry.reached(.observer)
    }
    tokens.append(
      data.observed.map { snapshot in
        reentry.reached(.transform)
        return snapshot.value?.number ?? -1
      }.observe { _ in })
    reentry.track(.trackedValue) { [weak data] in _ = data?.value }
    reentry.track(.trackedError) { [weak data] in _ = data?.error }
    reentry.track(.trackedActivity) { [weak data] in _ = (data?.isRunning, data?.isStale) }
  }

  // MARK: The scenario

  func run() async {
    let reentry = reentry
    data?.value = Item(1, reentry)
    data?.value = Item(1, reentry)
    var attempts = 0
    let retry = RetryPolicy { _ in
      reentry.reached(.retry)
      return .zero
    }
    if let data {
      let handle = data.start(.refresh, options: LoadOptions(retry: retry)) { (reporter: LoadReporter<Item>) in
        reentry.reached(.operation)
        attempts += 1
        if attempts == 1 { throw Broken() }
        try reporter.yield(Item(2, reentry))
        reporter.report(progress: 0.5)
        return Item(3, reentry)
      }
      handles.append(handle)
      current = handle
    }
    await current?.outcome()
    mutate()
    await endOfTasks()
    mutate()
    await endOfTasks()
    data?.invalidate()
    _ = data?.isStale
    data?.value = Item(1, reentry)
    _ = data?.isStale
    data?.error = Broken()
    data?.error = nil
    if let data {
      tasks.append(
        Task {
          let resource = AsyncResource(filling: data, home: MainActor.shared) { { _ in Item(5, reentry) } }
          await resource.poll(every: { _ in
            reentry.reached(.interval); return nil
          })
        })
    }
    await endOfTasks()
    data?.reset()
    data?.value = nil
  }

  private func mutate() {
    guard let data else { return }
    let reentry = reentry
    tasks.append(
      Task {
        await data.mutate { item in
          reentry.computing(.patch) { item = Item(item.number + 10, reentry) }
        } commit: {
          reentry.reached(.commit)
        }
      })
  }

  private func endOfTasks() async {
    while let task = tasks.popLast() { await task.value }
  }

  // MARK: The methods

  func call(_ method: Method) {
    guard let data, !reentry.isComputing || Method.readers.contains(method) else { return }
    let reentry = reentry
    switch method {
    case .read:
      _ = (data.value, data.error == nil, data.isLoading, data.isRunning, data.isStale, data.snapshot.isIdle)
      _ = data.observed.current
      _ = data.observed.map { $0.value?.number }.current
    case .writeSame: data.value = data.value
    case .writeOther: data.value = Item(70, reentry)
    case .writeNil: data.value = nil
    case .writeError: data.error = Broken()
    case .clearError: data.error = nil
    case .reset: data.reset()
    case .invalidate: data.invalidate()
    case .cancel: data.cancel()
    case .start: handles.append(data.start { Item(71, reentry) })
    case .startNamed: for _ in 0..<2 { handles.append(data.start(.refresh, id: "a") { Item(72, reentry) }) }
    case .startAndCancel:
      let handle = data.start { Item(73, reentry) }
      handle.cancel()
      handles.append(handle)
    case .cancelCurrent: current?.cancel()
    case .startStale: if data.isStale { handles.append(data.start { Item(76, reentry) }) }
    case .startAfterInvalidation:
      data.invalidate()
      for _ in 0..<2 { handles.append(data.start(.refresh, id: "a") { Item(77, reentry) }) }
    case .begin:
      let handle = data.begin()
      handle.yield(Item(78, reentry))
      handle.succeed(with: Item(79, reentry))
      handles.append(handle.task)
    case .beginAndDrop: _ = data.begin(.refresh)
    case .mutateTwice: for _ in 0..<2 { mutate() }
    case .load: tasks.append(Task { await data.load { Item(74, reentry) } })
    case .mutate: mutate()
    case .observe: tokens.append(data.observed.observe { _ in })
    case .cancelToken:
      isCancelled = true
      token?.cancel()
    case .dropToken: _ = token.take()
    case .dropDelegate: _ = delegate.take()
    case .replaceDelegate:
      delegate = Delegate(reentry)
      data.delegate = delegate
    case .dropData: _ = self.data.take()
    }
  }

  // MARK: The laws

  func expectAllIsWell(_ what: String) async {
    reentry.end()
    await endOfTasks()
    data?.cancel()
    for handle in handles { await handle.outcome() }
    await endOfTasks()
    if let data {
      #expect(!data.isRunning, "\(what)")
      let parts = Parts(data.snapshot)
      #expect(parts.isValueSet || parts.number == nil, "\(what)")
      if let last = delegate?.last { #expect(last == parts, "1.3, the delegate, \(what)") }
      if !isCancelled, token != nil { #expect(log.last == parts, "1.3, the observer, \(what)") }
      let (calls, notices) = (delegate?.count ?? 0, log.count)
      data.value = Item(99, reentry)
      #expect(data.value?.number == 99, "\(what)")
      if let delegate { #expect(delegate.count == calls + 1, "2, the delegate, \(what)") }
      if !isCancelled, token != nil { #expect(log.count == notices + 1, "2, the observer, \(what)") }
    }
    #expect(clock.base.sleeperCount == 0, "\(what)")
    _ = data.take()
    _ = current.take()
    _ = handles.takeAll()
    #expect(weakData == nil, "1.6, \(what)")
  }
}
