// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @ModelActor
  struct KeyedPacerTests {
    @Test("6.6, 9.3 nothing of a former key is displayed, and its loading is paced like a first one")
    func random() async {
      await check(KeyedPacerComparison.self, seeds: 600, steps: 60)
    }
  }
}

enum KeyedPacerCommand {
  case key(Int?)
  case answer
  case answerNothing
  case fail
  case cancel
  case refresh
  case reload
  case ticks(Int)
}

struct KeyedPacerSetup {
  var delay: Int
  var minimum: Int
}

/// A host and a status of one resource that follows a key, beside law 6.6 as a plain program. What the data means is taken
/// from the resource: of that this program knows nothing.
final class KeyedPacerComparison: Comparison {
  static let name = "keyed pacer"

  static func setup(using random: inout SeededGenerator) -> KeyedPacerSetup {
    KeyedPacerSetup(delay: Int.random(in: 0...3, using: &random), minimum: Int.random(in: 0...4, using: &random))
  }

  static func command(using random: inout SeededGenerator) -> KeyedPacerCommand {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<4: .key(Int.random(in: 1...3, using: &random))
    case 4: .key(nil)
    case 5..<8: .answer
    case 8: .answerNothing
    case 9: .fail
    case 10: .cancel
    case 11: .refresh
    case 12: .reload
    default: .ticks(Int.random(in: 1...3, using: &random))
    }
  }

  static func simpler(than command: KeyedPacerCommand) -> [KeyedPacerCommand] {
    if case .ticks(let count) = command, count > 1 { [.ticks(1)] } else { [] }
  }

  private let setup: KeyedPacerSetup
  private let clock = ManualClock()
  private let key = Input<Int?>(nil)
  private let calls = Calls()
  private let resource: AsyncResource<Int>
  private let host: AsyncHost<Int>
  private let display: PacedStatus<Int>

  // The plain program.
  private var now = 0
  private var shown: PacerModel.Status?
  /// The key that what is shown belongs to.
  private var shownKey: Int?
  /// When the loading that is wanted, and not shown, began.
  private var wantedSince: Int?
  private var wantedKey: Int?
  private var indicatorSince: Int?
  private var former: PacerModel.Status?

  private final class Calls {
    var newest: ManualServer<Result<Int?, Trouble>>?
    var count = 0
  }

  init(_ setup: KeyedPacerSetup) {
    self.setup = setup
    let policy = DisplayPolicy<Int>(idle: .idle)
    // Without a clock: it measures with that of the resource.
    let pacer = DisplayPacer(delay: .seconds(setup.delay), minimum: .seconds(setup.minimum))
    resource = AsyncResource(isolation: ModelActor.shared, following: key, options: LoadOptions(clock: clock)) {
      [calls] _ in
      .value {
        let gate = ManualServer<Result<Int?, Trouble>>()
        calls.newest = gate
        return try await gate.wait().get()
      }
    }
    host = AsyncHost(resource, policy: policy, pacer: pacer) { [StatusChild(PacerModel.Status($0))] }
    display = PacedStatus(resource, policy: policy, pacer: pacer)
    host.start()
    shown = .idle
  }

  func perform(_ command: KeyedPacerCommand) async -> String? {
    switch command {
    case .key(let next): key.write(next)
    case .answer:
      calls.count += 1
      await answer(.success(key.current.map { $0 * 1_000 + calls.count }))
    case .answerNothing: await answer(.success(nil))
    case .fail: await answer(.failure(Trouble(number: 1)))
    case .cancel: resource.cancel()
    case .refresh: resource.refresh(isolation: ModelActor.shared)
    case .reload: resource.reload(isolation: ModelActor.shared)
    case .ticks(let count):
      for _ in 0..<count {
        now += 1
        await clock.advance(by: .seconds(1))
        await ModelActor.idle()
        if let reason = difference(isCancel: false) { return reason }
      }
      return nil
    }
    await ModelActor.idle()
    if case .cancel = command { return difference(isCancel: true) }
    return difference(isCancel: false)
  }

  private func answer(_ result: Result<Int?, Trouble>) async {
    guard let gate = calls.newest, resource.isRunning else { return }
    gate.answer(call: 1, with: .success(result))
    await gate.ended(1)
  }

  private func difference(isCancel: Bool) -> String? {
    let wanted = PacerModel.Status(resource.status(policy: DisplayPolicy(idle: .idle)))
    defer { former = wanted }
    if wanted == .loading { want() } else { finish(with: wanted, isCancel: isCancel) }
    let displayed = display.status.map(PacerModel.Status.init)
    if displayed != shown { return "displayed \(name(displayed)), expected \(name(shown)); it means \(wanted)" }
    let children = host.container.children.map { ($0 as! StatusChild).status }
    let expected = display.status.map { [PacerModel.Status($0)] } ?? []
    return children == expected ? nil : "the host displays \(children), expected \(expected)"
  }

  private func name(_ shown: PacerModel.Status?) -> String { shown.map { "\($0)" } ?? "nothing" }

  private func want() {
    guard indicatorSince == nil else { return }
    if wantedSince == nil || wantedKey != key.current { (wantedSince, wantedKey) = (now, key.current) }
    if shown != .idle, shownKey != key.current { shown = nil }
    guard let wantedSince, now - wantedSince >= setup.delay else { return }
    (shown, indicatorSince) = (.loading, now)
  }

  private func finish(with wanted: PacerModel.Status, isCancel: Bool) {
    wantedSince = nil
    let isAnswer = wanted != .idle && !(isCancel && former == .loading)
    if isAnswer, let indicatorSince, now - indicatorSince < setup.minimum { return }
    (shown, shownKey, indicatorSince) = (wanted, key.current, nil)
  }

  func finish() async -> String? {
    if let reason = await perform(.key(nil)) { return "at the end: \(reason)" }
    if shown != .idle { return "at the end \(name(shown)) is displayed without a key" }
    return clock.sleeperCount == 0 ? nil : "\(clock.sleeperCount) sleepers are left"
  }
}
