// SPDX-License-Identifier: MIT
@testable import AsyncState
@testable import AsyncStateTesting

/// A host with a child for each status, which write down what they are called with.
@MainActor
final class HostStage {
  let trace = Recorder()
  let data: AsyncData<Int>
  private(set) var host: AsyncHost<Int>!
  /// What a request does; by default nothing.
  var answer: (AsyncData<Int>) -> Void = { _ in }
  private var players: [AsyncStatusKind: TracedChild] = [:]

  init(
    seed: Int? = nil, policy: DisplayPolicy<Int> = DisplayPolicy(), pacer: DisplayPacer? = nil,
    presenter: (any AsyncStatusPresenter<Int>)? = nil
  ) {
    data = AsyncData(seed: seed)
    host = AsyncHost(
      data: data, policy: policy, pacer: pacer,
      request: { [unowned self] data, _ in
        trace.note("request")
        answer(data)
      },
      children: presenter == nil ? { [unowned self] in children(of: $0) } : nil)
    host.presenter = presenter
    trace.record(statusesOf: host)
  }

  private func children(of status: AsyncStatus<Int>) -> [any ChildController] {
    trace.note("K")
    return [child(status.kind)]
  }

  private func child(_ kind: AsyncStatusKind) -> TracedChild {
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
    host.start()
    _ = trace.take()
    return self
  }

  /// The transitions since the last time: `W` and `D` only.
  func transitions() -> [String] {
    trace.take().marks.filter { $0.hasPrefix("W") || $0.hasPrefix("D") }
  }
}

extension Recorder {
  /// Records which statuses a host displays, with their values.
  func record(statusesOf host: AsyncHost<Int>) {
    record(host.container, .transitions, state: word)
  }
}

/// Records what it is to present: a presenter is no container, so `Recorder` has no marks for it.
final class TracedPresenter<Value>: AsyncStatusPresenter {
  let trace: Recorder
  private let word: (Value) -> String

  init(_ trace: Recorder, _ word: @escaping (Value) -> String) {
    self.trace = trace
    self.word = word
  }

  func transitionToLoading(animated: Bool) { trace.note("loading,\(letter(animated))") }
  func transitionToError(_ error: any Error, animated: Bool) { trace.note("error:\(error),\(letter(animated))") }
  func transitionToNoData(animated: Bool) { trace.note("noData,\(letter(animated))") }
  func transitionToIdle(animated: Bool) { trace.note("idle,\(letter(animated))") }
  func transitionToWaiting(animated: Bool) { trace.note("waiting,\(letter(animated))") }
  func transitionToData(_ value: Value, animated: Bool) { trace.note("\(word(value)),\(letter(animated))") }
}

extension TracedPresenter<Int> {
  convenience init(_ trace: Recorder) { self.init(trace) { "data:\($0)" } }
}

/// A status as a word.
func word(_ status: AsyncStatus<Int>) -> String {
  switch status {
  case .loading: "loading"
  case .error(let error): "error:\(error)"
  case .data(let value): "data:\(value)"
  case .waiting: "waiting"
  case .noData: "noData"
  case .idle: "idle"
  }
}
