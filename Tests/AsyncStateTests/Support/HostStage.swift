import AsyncState

/// A host with a child for each status, which write down what they are called with.
@MainActor
final class HostStage {
  let trace = Trace()
  let data: AsyncData<Int>
  let delegate: StatusDelegate
  private(set) var host: AsyncHost<Int>!
  /// What a request does; by default nothing.
  var answer: (AsyncData<Int>) -> Void = { _ in }
  private var players: [AsyncStatus<Int>.Kind: TracedChild] = [:]

  init(
    seed: Int? = nil, policy: DisplayPolicy<Int> = DisplayPolicy(), pacer: DisplayPacer? = nil,
    presenter: (any AsyncStatusPresenter<Int>)? = nil
  ) {
    data = AsyncData(seed: seed)
    delegate = StatusDelegate(trace)
    host = AsyncHost(
      data: data, policy: policy, pacer: pacer,
      request: { [unowned self] data, _ in
        trace("request")
        answer(data)
      },
      children: presenter == nil ? { [unowned self] in children(of: $0) } : nil)
    host.presenter = presenter
    host.container.delegate = delegate
  }

  private func children(of status: AsyncStatus<Int>) -> [any ChildController] {
    trace("K")
    return [child(status.kind)]
  }

  private func child(_ kind: AsyncStatus<Int>.Kind) -> TracedChild {
    if let child = players[kind] { return child }
    let child = TracedChild("\(kind)", trace)
    players[kind] = child
    return child
  }

  /// A host that has appeared.
  func shown() -> HostStage {
    host.appear(animated: false)
    return self
  }

  func loaded() -> HostStage {
    host.load()
    _ = trace.take()
    return self
  }

  /// The transitions since the last time: `W` and `D` only.
  func transitions() -> [String] {
    trace.take().marks.filter { $0.hasPrefix("W") || $0.hasPrefix("D") }
  }
}

/// Writes down the states of a host's container.
final class StatusDelegate: StateContainerDelegate {
  let trace: Trace
  init(_ trace: Trace) { self.trace = trace }

  func container(
    _ container: StateContainer<AsyncStatus<Int>>, willTransitionTo nextState: AsyncStatus<Int>, animated: Bool
  ) {
    trace("W(\(word(nextState)),\(letter(animated)))")
  }
  func container(
    _ container: StateContainer<AsyncStatus<Int>>, didTransitionFrom previousState: AsyncStatus<Int>?, animated: Bool
  ) {
    trace("D(\(previousState.map(word) ?? "nil"),\(letter(animated)))")
  }
}

/// Writes down what it is to present.
final class TracedPresenter: AsyncStatusPresenter {
  let trace: Trace
  init(_ trace: Trace) { self.trace = trace }

  func transitionToLoading(animated: Bool) { trace("loading,\(letter(animated))") }
  func transitionToError(_ error: any Error, animated: Bool) { trace("error:\(error),\(letter(animated))") }
  func transitionToNoData(animated: Bool) { trace("noData,\(letter(animated))") }
  func transitionToData(_ value: Int, animated: Bool) { trace("data:\(value),\(letter(animated))") }
}

/// A status as a word.
func word(_ status: AsyncStatus<Int>) -> String {
  switch status {
  case .loading: "loading"
  case .error(let error): "error:\(error)"
  case .data(let value): "data:\(value)"
  case .noData(let isIdle): isIdle ? "idle" : "noData"
  }
}
