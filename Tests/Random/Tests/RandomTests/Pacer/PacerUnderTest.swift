// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncState
import AsyncStateTesting

/// A host with a pacer and with requests answered by hand.
@ModelActor
final class PacerUnderTest {
  private let recorder = StatusRecorder()
  private(set) var host: AsyncHost<Int>?
  private var gate: ManualServer<Result<Int?, Trouble>>?
  private var reporter: LoadReporter<Int>?
  private let setup: PacerSetup

  init(_ setup: PacerSetup, _ pacer: DisplayPacer) {
    self.setup = setup
    host = AsyncHost(
      data: AsyncData(seed: setup.seed), pacer: pacer,
      request: { [unowned self] data, mode in
        if case .start = setup.request { start(mode, data) } else { act(setup.request) }
      },
      children: { [StatusChild(PacerModel.Status($0))] })
    host?.container.delegate = recorder
  }

  /// Records the host and its data, and changes neither.
  private(set) var journal: JournalAudit?

  func record(_ clock: ManualClock) {
    guard let host else { return }
    let journal = JournalAudit(clock)
    self.journal = journal
    journal.journal.attach(host.data, name: "data")
    journal.journal.attach(host, name: "host")
  }

  /// What of the journal is not true.
  var difference: String? {
    journal?.difference() ?? host.flatMap { journal?.difference(of: "data", from: $0.data.snapshot) }
  }

  var shown: [PacerModel.Shown] { recorder.shown }

  /// What the children on the surface show.
  var surface: [PacerModel.Status] {
    host?.container.children.map { ($0 as! StatusChild).status } ?? []
  }

  func begin() {
    recorder.shown = []
  }

  func release() {
    host = nil
  }

  func perform(_ action: PacerAction) async {
    switch action {
    case .yield(let value):
      // As the operation would call it. From a load that does not count any more it throws, and that is all.
      try? reporter?.yield(value)
    case .answer(let value): await answer(.success(value))
    case .fail: await answer(.failure(Trouble(number: 1)))
    default: act(action)
    }
    await ModelActor.idle()
  }

  private func act(_ action: PacerAction) {
    guard let host else { return }
    let data = host.data
    switch action {
    case .load: host.start()
    case .reload: host.reload()
    case .refresh: host.refresh()
    case .start(let mode): start(mode, data)
    case .cancel: data.cancel()
    case .set(let value): data.value = value
    case .setError: data.error = Trouble(number: 1)
    case .clearError: data.error = nil
    case .reset: data.reset()
    case .invalidate: data.invalidate()
    case .yield, .answer, .fail: preconditionFailure("they wait for an operation")
    }
  }

  private func start(_ mode: LoadMode, _ data: AsyncData<Int>) {
    let gate = ManualServer<Result<Int?, Trouble>>()
    self.gate = gate
    data.start(mode) { [unowned self] (reporter: LoadReporter<Int>) in
      self.reporter = reporter
      return try await gate.wait().get()
    }
  }

  /// The load that runs answers; nothing happens where none does.
  private func answer(_ result: Result<Int?, Trouble>) async {
    guard let gate, host?.data.isRunning == true else { return }
    gate.answer(call: 1, with: .success(result))
    await gate.ended(1)
  }
}

/// Shows a status.
final class StatusChild: ChildController {
  let status: PacerModel.Status
  init(_ status: PacerModel.Status) { self.status = status }
}

/// Records the transitions of a container, as values that the model's are compared with: not a `Recorder`,
/// which writes text.
final class StatusRecorder: StateContainerDelegate {
  var shown: [PacerModel.Shown] = []

  func container(
    _ container: StateContainer<AsyncStatus<Int>>, willTransitionTo nextState: AsyncStatus<Int>, animated: Bool
  ) {
    shown.append(.init(status: .init(nextState), isAnimated: animated))
  }
}

extension PacerModel.Status {
  init(_ status: AsyncStatus<Int>) {
    switch status {
    case .loading: self = .loading
    case .error: self = .error
    case .data(let value): self = .data(value)
    case .noData: self = .noData
    case .idle: self = .idle
    case .waiting: preconditionFailure("the model has no gate")
    }
  }
}
