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

    @Test("5 each trace of the contract is recorded, and each one that is recorded is in the contract")
    func complete() {
      expectEqual(Set(table.keys), Set(Scenario.all.map(\.name)))
    }

    @Test(
      "5.3, 5.4, 5.5, 5.8, 5.10, 5.11, 5.12, 5.13, 5.14 the calls are exactly those of the table in the contract",
      arguments: Scenario.all)
    func calls(scenario: Scenario) {
      expectEqual(scenario.play(), table[scenario.name] ?? "")
    }

    /// What happens to a container whose state `loading` has the child `spin`, and `ready` the child `list`.
    struct Scenario: Sendable, CustomTestStringConvertible {
      let name: String
      let play: @Sendable () -> RecordedTrace

      init(_ name: String, _ play: @escaping @Sendable () -> RecordedTrace) {
        (self.name, self.play) = (name, play)
      }

      var testDescription: String { name }

      static let all = [
        Scenario("the first appearance") {
          let stage = Stage()
          stage.tracesSurface = true
          return stage.appear()
        },
        Scenario("`ready` is requested, not animated") { visible().go(.ready) },
        Scenario("`ready` is requested, animated; `spin` ends first") {
          let animator = HeldAnimator()
          let stage = visible(Stage(animator: animator))
          stage.container.setNeedsTransition(to: .ready, animated: true)
          animator.of("spin").finish()
          animator.of("list").finish()
          return stage.trace.takeTrace()
        },
        Scenario("`ready` with the children of `loading` in another order") {
          visible(Stage([.loading: ["a", "b"], .ready: ["b", "a"]])).go(.ready)
        },
        Scenario("`ready` is requested, and in its `W` first `failed`, then `loading`") {
          let stage = visible()
          stage.trace.once("W(ready,f)") { [container = stage.container] in
            container.setNeedsTransition(to: .failed, animated: false)
            container.setNeedsTransition(to: .loading, animated: false)
          }
          return stage.go(.ready)
        },
        Scenario("the container disappears") { visible().disappear() },
        Scenario("it appears again, created with `initialState:`") {
          let stage = visible(Stage(keepsState: true))
          _ = stage.disappear()
          return stage.appear()
        },
        Scenario("it appears again, created with `appearanceState:`, which is `ready` now") {
          let stage = visible()
          _ = stage.disappear()
          stage.initial = .ready
          return stage.appear()
        },
        Scenario("it disappears during the animated transition to `ready`") {
          let animator = HeldAnimator()
          defer { animator.finishAll() }
          let stage = visible(Stage(animator: animator))
          _ = stage.go(.ready, animated: true)
          return stage.disappear()
        },
        Scenario("it turns back while it disappears") {
          let stage = visible()
          stage.container.willDisappear(animated: false)
          return stage.appear()
        },
        Scenario("`ready` is requested while it is not visible") {
          let stage = visible()
          _ = stage.disappear()
          return stage.go(.ready)
        },
      ]

      /// A container that has appeared.
      private static func visible(_ stage: Stage = Stage()) -> Stage {
        stage.tracesSurface = true
        _ = stage.appear()
        return stage
      }
    }
  }
}
