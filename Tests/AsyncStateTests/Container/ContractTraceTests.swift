// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// The calls of a container, beside the table of traces in the text of the contract.
  struct ContractTraceTests {
    /// The traces of the text, by what happens.
    let table: [String: String]

    init() throws {
      let rows = try ContractPage("Contract-Container").rows.filter { $0.count == 3 && $0[0] != "law" }
      table = Dictionary(uniqueKeysWithValues: rows.map { ($0[1], $0[2].filter { $0 != "`" }) })
    }

    @Test(
      "5.3, 5.4, 5.5, 5.8, 5.10, 5.11, 5.12, 5.13, 5.14 the calls are exactly those of the table in the contract, which has no others"
    )
    func calls() {
      for scenario in Self.scenarios { expectEqual(scenario.play(), table[scenario.name] ?? "", "\(scenario.name)") }
      expectEqual(Set(table.keys), Set(Self.scenarios.map(\.name)))
    }

    /// What happens to a container whose state `loading` has the child `spin`, and `ready` the child `list`.
    struct Scenario {
      let name: String
      var cast = Stage.cast
      var keepsState = false
      var isAnimated = false
      var before: [ContainerStep] = [.appear]
      let steps: [ContainerStep]
      /// Done in the first `W`.
      var inside: [ContainerStep] = []

      func play() -> RecordedTrace {
        let stage = Stage(cast, keepsState: keepsState, animator: isAnimated ? HeldAnimator() : ImmediateAnimator())
        stage.tracesSurface = true
        for step in before { step.take(on: stage) }
        _ = stage.trace.take()
        stage.trace.once("W(ready,f)") { for step in inside { step.take(on: stage) } }
        for step in steps { step.take(on: stage) }
        defer { if isAnimated { stage.held.finishAll() } }
        return stage.trace.takeTrace()
      }
    }

    static let scenarios = [
      Scenario(name: "the first appearance", before: [], steps: [.appear]),
      Scenario(name: "`ready` is requested, not animated", steps: [.request(.ready)]),
      Scenario(
        name: "`ready` is requested, animated; `spin` ends first", isAnimated: true,
        steps: [.request(.ready, animated: true), .end("spin"), .end("list")]),
      Scenario(
        name: "`ready` with the children of `loading` in another order",
        cast: [.loading: ["a", "b"], .ready: ["b", "a"]], steps: [.request(.ready)]),
      Scenario(
        name: "`ready` is requested, and in its `W` first `failed`, then `loading`", steps: [.request(.ready)],
        inside: [.request(.failed), .request(.loading)]),
      Scenario(name: "the container disappears", steps: [.disappear]),
      Scenario(
        name: "it appears again, created with `initialState:`", keepsState: true, before: [.appear, .disappear],
        steps: [.appear]),
      Scenario(
        name: "it appears again, created with `appearanceState:`, which is `ready` now",
        before: [.appear, .disappear, .initial(.ready)], steps: [.appear]),
      Scenario(
        name: "it disappears during the animated transition to `ready`", isAnimated: true,
        before: [.appear, .request(.ready, animated: true)], steps: [.disappear]),
      Scenario(name: "it turns back while it disappears", steps: [.willDisappear, .appear]),
      Scenario(
        name: "`ready` is requested while it is not visible", before: [.appear, .disappear], steps: [.request(.ready)]),
    ]
  }
}
