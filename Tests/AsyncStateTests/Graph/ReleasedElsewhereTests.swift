// SPDX-License-Identifier: MIT
import AsyncState
import Testing

/// Carries something to another thread, as an object that is released there does.
private final class Parcel<Content>: @unchecked Sendable {
  private var content: Content?

  init(_ content: Content) {
    self.content = content
  }

  /// Releases the content on another thread, and returns when that is done.
  func releaseElsewhere() async {
    await Task.detached { self.content = nil }.value
  }
}

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

      func observing() -> Parcel<ObservedToken> {
        let witness = Witness()
        self.witness = witness
        return Parcel(input.map { $0 + 1 }.observe { [witness] _ in withExtendedLifetime(witness) {} })
      }

      func counting() -> ObservedToken {
        let witness = Witness()
        self.witness = witness
        let counter = counter
        return input.observe { [witness] _ in withExtendedLifetime(witness) { counter.count += 1 } }
      }

      func binding() -> Parcel<Box<Witness>> {
        let box = Box(Witness())
        witness = box.unbox
        box.bind(to: input) { _, _ in }
        return Parcel(box)
      }

      func deriving() -> Parcel<Observed<Int>> {
        let witness = Witness()
        self.witness = witness
        return Parcel(input.map { [witness] value in withExtendedLifetime(witness) { value } }.map { $0 })
      }

      func write(_ value: Int) { input.write(value) }

      var isReleased: Bool { witness == nil }
    }

    @Test("1.8 a token released on another thread ends the observation, and its closure is released there")
    func tokenElsewhere() async {
      let home = Home()
      let parcel = await home.observing()
      await parcel.releaseElsewhere()
      #expect(await home.isReleased)
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
      #expect(await home.isReleased)
      token.cancel()
      expectEqual("\(token)", "ObservedToken: ended")
    }

    @Test("1.8 a box released on another thread releases its object and its bindings")
    func boxElsewhere() async {
      let home = Home()
      let parcel = await home.binding()
      await parcel.releaseElsewhere()
      #expect(await home.isReleased)
      await home.write(1)
    }

    @Test("1.8 a derived value released on another thread releases its transform")
    func derivedElsewhere() async {
      let home = Home()
      let parcel = await home.deriving()
      await parcel.releaseElsewhere()
      #expect(await home.isReleased)
      await home.write(1)
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
        #expect(released != nil)
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
