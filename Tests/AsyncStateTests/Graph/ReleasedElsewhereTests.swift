// SPDX-License-Identifier: MIT
import AsyncState
import Testing

extension AllTests {
  struct ReleasedElsewhereTests {
    let log = Log()

    /// An actor with a graph, whose parts are released by others.
    private actor Home {
      let input = Input(0)
      private final class Counter { var count = 0 }
      private let counter = Counter()
      var calls: Int { counter.count }
      weak var witness: AnyObject?

      /// Something of the graph that holds the witness.
      func part(_ part: Part) -> Dropped<Any> {
        let witness = Witness()
        self.witness = witness
        switch part {
        case .token: return Dropped(input.map { $0 + 1 }.observe { [witness] _ in withExtendedLifetime(witness) {} })
        case .box:
          let box = Box(witness)
          box.bind(to: input) { _, _ in }
          return Dropped(box)
        case .derivedValue:
          return Dropped(input.map { [witness] value in withExtendedLifetime(witness) { value } }.map { $0 })
        }
      }

      func counting() -> ObservedToken {
        let witness = Witness()
        self.witness = witness
        let counter = counter
        return input.observe { [witness] _ in withExtendedLifetime(witness) { counter.count += 1 } }
      }

      func write(_ value: Int) { input.write(value) }

      var isReleased: Bool { witness == nil }
    }

    enum Part: CaseIterable { case token, box, derivedValue }

    @Test(
      "1.8 what is released on another thread ends there, and releases what it holds: closure, object, transform",
      arguments: Part.allCases)
    func releasedElsewhere(part: Part) async {
      let home = Home()
      let dropped = await home.part(part)
      await Task.detached { dropped.release() }.value
      expect(await home.isReleased)
      await home.write(1)
    }

    @Test("1.8 a token is cancelled on any thread: its observer is not called any more, and its closure is released")
    func cancelledElsewhere() async {
      let home = Home()
      let token = await home.counting()
      await home.write(1)
      await Task.detached { token.cancel() }.value
      await home.write(2)
      await expectEqual(home.calls, 2)
      expect(await home.isReleased)
      token.cancel()
    }

    @Test("1.8 a token released on another thread during a round is not called again, and freed when the round is over")
    func tokenElsewhereDuringARound() {
      let input = Input(0)
      weak var released: Witness?
      var parcel: Unmanaged<ObservedToken>?
      let first = input.observe { value in
        guard value == 1, let token = parcel.take() else { return }
        // This thread stands for another: the actor is inside, and the last reference is released.
        token.release()
        expect(released != nil)
      }
      do {
        let held = Witness()
        released = held
        parcel = .passRetained(input.observe { [log, held] value in withExtendedLifetime(held) { log(value) } })
      }
      input.write(1)
      expectNil(released)
      input.write(2)
      expectEqual(log.take(), ["0"])
      withExtendedLifetime(first) {}
    }
  }
}
