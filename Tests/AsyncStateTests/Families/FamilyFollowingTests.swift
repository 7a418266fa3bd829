// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// A list, its selection, and a detail screen that loads the selected key from the family of the list's rows.
  @MainActor
  struct FamilyFollowingTests {
    @MainActor
    private final class Screens {
      let stage = FamilyStage(keepUnused: 5)
      let selection = Input<Int?>(nil)
      let detail: AsyncResource<Int>
      /// What observers of the key and of the detail have read of both.
      private(set) var seen: [String] = []
      private var token: ObservedToken?
      private var other: ObservedToken?

      init() {
        let family = stage.family!
        detail = AsyncResource(following: selection) { id in
          try await family[id].get()
        }
        token = selection.observe { [weak self] _ in self?.look() }
        other = detail.observed.observe { [weak self] _ in self?.look() }
        detail.start()
      }

      private func look() {
        seen.append("\(selection.current.map(String.init) ?? "-"):\(detail.value.map(String.init) ?? "-")")
      }

      func select(_ key: Int?) { selection.write(key) }
    }

    @Test(
      "10.1 the detail and the row of a key make one request, and a key is never displayed with another one's value")
    func shares() async {
      let screens = Screens()
      let stage = screens.stage.hold(1, 2)
      #expect(stage.requests.isEmpty)
      let row = stage.family[1].start(when: .stale)
      screens.select(1)
      await stage.gate.arrived(1)
      stage.answer(1, 10)
      await expectEqual(row.outcome().word, "value 10")
      await screens.detail.settled()
      expectEqual(screens.detail.value, 10)
      screens.select(2)
      await stage.gate.arrived(2)
      expectNil(screens.detail.value)
      stage.answer(2, 20)
      await screens.detail.settled()
      // Known by now, and fresh.
      screens.select(1)
      await screens.detail.settled()
      expectEqual(screens.detail.value, 10)
      expectEqual(stage.requests, [1, 2])
      #expect(Set(screens.seen).isSubset(of: ["-:-", "1:-", "1:10", "2:-", "2:20"]))
      screens.select(nil)
      expectNil(screens.detail.value)
    }
  }
}
