// SPDX-License-Identifier: MIT
@testable import AsyncState
import Testing

extension AllTests {
  struct LifecycleMisuseTests {
    /// The calls that are expected of the owner of a container, visible so far.
    static func expected(_ appearance: Appearance) -> String {
      switch appearance {
      case .gone: "willAppear"
      case .appearing: "didAppear or willDisappear"
      case .visible: "willDisappear"
      case .disappearing: "willAppear or didDisappear"
      }
    }

    @Test("5.17 the message says what was called, when, what was expected, why it matters and what to do")
    func message() {
      for appearance in [Appearance.gone, .appearing, .visible, .disappearing] {
        let belonging = LifecycleCall.allCases.filter { $0.appearance(after: appearance) != nil }
        expectEqual(belonging.map { "\($0)" }.joined(separator: " or "), Self.expected(appearance))
        for call in LifecycleCall.allCases {
          expectEqual(
            "\(LifecycleMisuse(call: call, appearance: appearance))",
            """
            AsyncState: \(call) was called on a StateContainer that is \(appearance); expected \
            \(Self.expected(appearance)). The call is ignored, because going on would give children a "did" without its \
            "will". Make the four life-cycle calls in turn, as the view that shows the container gets them.
            """)
        }
      }
    }

    @Test("5.17 a debug build warns once for each call, by the app's handler if it has one, and continues")
    func warns() {
      let said = warnings {
        let container = StateContainer(initialState: 0) { _ in [] }
        container.didAppear(animated: false)
        container.willAppear(animated: false)
        container.didAppear(animated: false)
        container.willAppear(animated: true)
        expectEqual(container.appearance, .visible)
      }
      #if DEBUG
        expectEqual(
          said.map { $0.prefix { $0 != "." } },
          [
            "AsyncState: didAppear was called on a StateContainer that is \(Appearance.gone); expected willAppear",
            "AsyncState: willAppear was called on a StateContainer that is visible; expected willDisappear",
          ])
      #else
        expect(said.isEmpty)
      #endif
      let former = AsyncStateWarnings.handler
      let container = StateContainer(initialState: 0) { _ in [] }
      let handled = SaidWarnings()
      AsyncStateWarnings.$local.withValue(nil) {
        AsyncStateWarnings.handler = AsyncStateWarnings { handled.add($0) }
        container.didAppear(animated: false)
        AsyncStateWarnings.handler = former
      }
      expectEqual(handled.all.count, isDebugBuild ? 1 : 0)
    }
  }
}
