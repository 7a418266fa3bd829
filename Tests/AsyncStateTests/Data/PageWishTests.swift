// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// How long a page rests that was not answered.
  @MainActor
  struct PageWishTests {
    typealias List = Paged<Int, Int>
    let pages = ManualServer<List.Page>()

    /// A feed whose first page has one row.
    private func makeFeed() async -> AsyncResource<List> {
      let feed = AsyncResource(
        .pages { [pages] page -> List.Page in
          page.cursor == nil ? .init(items: [1], next: 2) : try await pages.wait()
        })
      await feed.load()
      return feed
    }

    @Test("9.15 a page that has failed is requested again for the rows near it when a refresh was answered")
    func afterRefresh() async {
      let feed = await makeFeed()
      feed.displaying(0..<1)
      pages.answer(call: 1, with: .failure(Failure()))
      await feed.settled()
      expectEqual(feed.value?.items, [1])
      expect(feed.nextPage.error is Failure)
      pages.answer(call: 2, with: .success(.init(items: [2])))
      await feed.refresh().outcome()
      await feed.settled()
      expectEqual(feed.value?.items, [1, 2])
    }

    @Test("9.15 a page that a call has left is requested for the rows near it as soon as that is possible")
    func afterLeaving() async {
      let feed = await makeFeed()
      let commit = ManualServer<Void>()
      let collapse = Waiting {
        _ = await feed.mutate({ $0 = List(first: .init(items: [100], next: 200)) }, commit: { try await commit.wait() })
      }
      await commit.arrived(1)
      // The change displays another list: the page would not be seen, and is requested by the call alone.
      feed.displaying(0..<1)
      let call = Waiting { _ = await feed.loadNext() }
      await pages.arrived(1)
      call.cancel()
      await call.end()
      expect(!feed.nextPage.isRunning)
      commit.answer(call: 1, with: .failure(Failure()))
      await collapse.end()
      pages.answer(call: 2, with: .success(.init(items: [2])))
      await feed.settled()
      expectEqual(feed.value?.items, [1, 2])
    }
  }
}
