// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct SourceTests {
    typealias List = Paged<Int, Int>

    /// The ways in which a value is got.
    enum Way: CaseIterable {
      case value, pages, stream
    }

    /// A list for each key, each of its own way.
    @MainActor
    private final class Lists {
      let ways: [Way]
      private(set) var made: [Int] = []
      private(set) var calls = 0
      private var streams: [AsyncStream<List>.Continuation] = []

      init(_ ways: [Way]) { self.ways = ways }

      func source(_ key: Int) -> AsyncSource<List> {
        made.append(key)
        return switch ways[key] {
        case .value: .value { List(first: self.page(key)) }
        case .pages: .pages { page in self.page(key, at: page.cursor) }
        case .stream: .live { self.connect(key) }
        }
      }

      private func page(_ key: Int, at cursor: Int? = nil) -> List.Page {
        calls += 1
        return List.Page(items: [10 * key + (cursor ?? 0)], next: (cursor ?? 0) + 1)
      }

      private func connect(_ key: Int) -> AsyncStream<List> {
        let (stream, continuation) = AsyncStream<List>.makeStream()
        streams.append(continuation)
        continuation.yield(List(first: page(key)))
        return stream
      }

      func send(_ item: Int) { streams.last?.yield(List(first: List.Page(items: [item]))) }
    }

    /// What holds of a list that was loaded in its way, and nothing of another one.
    private func isOfItsWay(_ list: AsyncResource<List>, _ key: Int, _ lists: Lists) async {
      await list.load()
      expectEqual(list.value?.items, [10 * key])
      expect(!list.isStale)
      let calls = lists.calls
      await list.load(when: .stale)
      expectEqual(lists.calls, calls)
      switch lists.ways[key] {
      case .value: await list.load()
      case .pages:
        await list.loadNext()
        expectEqual(list.value?.items, [10 * key, 10 * key + 1])
      case .stream:
        // An open stream is as new as it gets.
        await list.load()
        expectEqual(lists.calls, calls)
        lists.send(7)
        await reaches(list) { $0.value?.items == [7] }
        expect(!list.isStale)
      }
    }

    @Test(
      "9.2 a followed key may be got as a whole, in pages or by a stream, and the next one otherwise",
      arguments: Way.allCases, Way.allCases)
    func keys(first: Way, second: Way) async {
      let lists = Lists([first, second])
      let key = Input<Int?>(0)
      let list = AsyncResource(following: key) { lists.source($0) }
      await isOfItsWay(list, 0, lists)
      key.write(1)
      await list.settled()
      await isOfItsWay(list, 1, lists)
      key.write(0)
      await list.settled()
      await isOfItsWay(list, 0, lists)
      list.cancel()
      // What a stream has left is stale; an answer is not.
      expectEqual(list.isStale, (first == .stream))
      expectEqual(lists.made, [0, 1, 0])
    }

    @Test("9.2 a family makes the source of an entry once, with the entry")
    func oncePerEntry() async {
      let lists = Lists([.pages, .value])
      let family = AsyncFamily<Int, List>(keepUnused: 0) { lists.source($0) }
      let entry = family[0]
      expectEqual(lists.made, [0])
      await entry.load()
      await entry.reload().outcome()
      await entry.loadNext()
      family.invalidate { _ in true }
      await family[0].load(when: .stale)
      try? await family.forget(0)
      await family[0].load()
      expectEqual(lists.made, [0])
      expectEqual(lists.calls, 6)
      await family[1].load()
      family.trim()
      await family[1].load()
      expectEqual(lists.made, [0, 1, 1])
      withExtendedLifetime(entry) {}
    }

    @Test("9.2 a followed key's is made once, when it is first requested")
    func oncePerKey() async {
      let lists = Lists([.pages, .value])
      let key = Input<Int?>(nil)
      let list = AsyncResource(following: key) { lists.source($0) }
      await list.load()
      key.write(0)
      expectEqual(lists.made, [0])
      await list.settled()
      await list.load()
      await list.reload().outcome()
      await list.loadNext()
      await list.loadNext()
      expectEqual(lists.made, [0])
      expectEqual(lists.calls, 5)
      // An equal key is no change, and one that is not requested has no source.
      key.write(0)
      key.write(nil)
      await list.load()
      key.write(1)
      await list.settled()
      expectEqual(lists.made, [0, 1])
    }
  }
}
