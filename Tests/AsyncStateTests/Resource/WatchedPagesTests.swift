// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct WatchedPagesTests {
    private typealias Numbers = Paged<Int, Int>

    private func held(_ family: AsyncFamily<Int, Int>) -> [Int] {
      family.trim()
      return family.entries.filter(\.isHeld).map(\.key).sorted()
    }

    @Test("10.2, 20.1 what a page waits for is held no more when the page is given up", arguments: [false, true])
    func givenUp(isCancelled: Bool) async {
      let gate = Gate<Int>()
      let details = AsyncFamily<Int, Int>(keepIdle: 0) { key in try await gate.wait(for: key) }
      let feed = AsyncResource(
        .pages { page -> Numbers.Page in
          guard let cursor = page.cursor else { return Numbers.Page(items: [0], next: 1) }
          return Numbers.Page(items: [try await page.reporter.get(details[cursor])])
        })
      await feed.load()
      let next = Waiting { _ = await feed.loadNext() }
      await gate.arrived(1)
      if isCancelled { feed.cancel() } else { next.cancel() }
      await next.end()
      await feed.settled()
      await details.settled()
      #expect(held(details) == [] && details.entries.isEmpty && feed.value?.items == [0])
    }

    @Test("9.18 what a page has got that did not arrive is watched no more")
    func failed() async {
      let details = AsyncFamily<Int, Int>(keepIdle: 0) { $0 }
      var requested: [Int] = []
      let feed = AsyncResource(
        .pages { page -> Numbers.Page in
          let number = page.cursor ?? 0
          requested.append(number)
          guard number > 0 else { return Numbers.Page(items: [0], next: 1) }
          _ = try await page.reporter.get(details[number])
          throw Failure(name: "page")
        })
      await feed.load()
      await feed.loadNext()
      await feed.settled()
      #expect(feed.nextPage.error != nil && held(details) == [])
      requested = []
      details[1].data.value = 11
      await feed.settled()
      #expect(requested == [])
    }

    @Test(
      "9.18, 20.7 what was made by a page of a resource that is forgotten is forgotten, and the rest of the list with it"
    )
    func forgotten() async throws {
      let details = AsyncFamily<Int, Int>(keepIdle: 0) { $0 }
      let feed = AsyncResource(
        .pages { page -> Numbers.Page in
          let number = page.cursor ?? 0
          let item = number > 0 ? try await page.reporter.get(details[number]) : 0
          return Numbers.Page(items: [item], next: number + 1)
        })
      await feed.load()
      await feed.loadNext()
      try await details.forget(1)
      await feed.settled()
      #expect(feed.value == nil && !feed.isRunning)
    }
  }
}
