// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct IdleForTests {
    /// A value that says when the family has released it.
    private final class Parcel: Sendable {
      let key: Int
      private let ends: AsyncStream<Int>.Continuation

      init(_ key: Int, _ ends: AsyncStream<Int>.Continuation) {
        self.key = key
        self.ends = ends
      }

      deinit { ends.yield(key) }
    }

    private let clock = ManualClock()
    private let ended: AsyncStream<Int>
    private let family: AsyncFamily<Int, Parcel>

    init() {
      let (ended, ends) = AsyncStream<Int>.makeStream()
      self.ended = ended
      family = AsyncFamily(options: LoadOptions(clock: clock), keepIdle: .entries(5, for: .seconds(60))) {
        Parcel($0, ends)
      }
    }

    private func load(_ key: Int) async {
      family.prefetch(key)
      await family.settled()
    }

    /// The key of the next value that is released.
    private func nextEnd() async -> Int? {
      for await key in ended { return key }
      return nil
    }

    private var keys: [Int] { family.entries.map(\.key).sorted() }

    @Test("10.2 an entry is removed when it has been idle for the time, though the family is not used any more")
    func removed() async {
      await load(1)
      await clock.sleepers(atLeast: 1)
      // It is found idle by now.
      await clock.advance(by: .seconds(60))
      await clock.sleepers(atLeast: 1)
      #expect(keys == [1])
      await clock.advance(by: .seconds(60))
      #expect(await nextEnd() == 1)
      #expect(keys == [] && clock.sleeperCount == 0)
    }

    @Test("10.2 an entry that is held stays without a sleeper; after its release the next use begins the time")
    func held() async {
      var article: AsyncResource<Parcel>? = family[1]
      await article?.load()
      await load(2)
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(60))
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(60))
      #expect(await nextEnd() == 2)
      #expect(keys == [1] && clock.sleeperCount == 0)
      article = nil
      #expect(family.existing(1)?.value?.key == 1)
      // A use begins the time, and the look at its end finds the entry idle.
      _ = family[1]
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(60))
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(60))
      #expect(await nextEnd() == 1)
    }

    @Test("10.2 an entry that is used again while it is idle begins anew, and others do not wait for it")
    func usedAgain() async {
      await load(1)
      await load(2)
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(60))
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(30))
      #expect(family[1].value?.key == 1)
      await clock.advance(by: .seconds(30))
      #expect(await nextEnd() == 2)
      #expect(keys == [1])
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(60))
      #expect(await nextEnd() == 1)
    }

    @Test("10.2 the number of entries counts as before, whatever the time")
    func number() async {
      for key in 1...7 { await load(key) }
      family.trim()
      #expect(keys == [3, 4, 5, 6, 7])
      #expect(await nextEnd() == 1)
      #expect(await nextEnd() == 2)
    }

    @Test("10.2, 1.8 a family that is released leaves no sleeper, and its actor is not kept by one")
    func released() async {
      weak var former: Library?
      do {
        let library = Library(clock)
        await library.load()
        await clock.sleepers(atLeast: 1)
        former = library
      }
      await afterReleases()
      #expect(former == nil && clock.sleeperCount == 0)
    }

    private actor Library {
      private let clock: ManualClock
      private lazy var articles = AsyncFamily<Int, Int>(
        isolation: self, options: LoadOptions(clock: clock), keepIdle: .entries(for: .seconds(60))
      ) { $0 }

      init(_ clock: ManualClock) { self.clock = clock }

      func load() async { await articles[1].load() }
    }
  }
}
