// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct PagingTests {
    typealias Pages = Paged<String, Int>
    let data = AsyncData<Pages>()
    let gate = ManualServer<Pages.Page>()
    let asked = Asked()

    @MainActor final class Asked { var cursors: [Int?] = [] }

    private func first(_ mode: LoadMode = .refresh) -> Waiting<AsyncOutcome<Pages?>> {
      Waiting { [data, gate, asked] in
        await data.loadFirst(mode) { cursor in
          asked.cursors.append(cursor)
          return try await gate.wait()
        }
      }
    }

    private func next() -> Waiting<AsyncOutcome<Pages?>> {
      Waiting { [data, gate, asked] in
        await data.loadNext { cursor in
          asked.cursors.append(cursor)
          return try await gate.wait()
        }
      }
    }

    @Test("3.13 the first page replaces everything when it arrives, and the old pages stay until then")
    func loadFirst() async {
      data.value = Pages(first: .init(items: ["old"], next: 9))
      let load = first()
      await gate.arrived(1)
      expectEqual(data.value?.items, ["old"])
      expectEqual(data.snapshot.activity?.mode, .refresh)
      gate.answer(call: 1, with: .success(.init(items: ["a", "b"], next: 2)))
      _ = await load.end()
      expectEqual(data.value, Pages(first: .init(items: ["a", "b"], next: 2)))
      expectEqual(asked.cursors, [nil])
    }

    @Test("3.13 the next page is requested with the cursor, and joins the end")
    func loadNext() async {
      data.value = Pages(first: .init(items: ["a"], next: 2))
      let load = next()
      await gate.arrived(1)
      expectEqual(determineState(data.snapshot).kind, .data)
      gate.answer(call: 1, with: .success(.init(items: ["b", "c"], next: nil)))
      await expectEqual(load.end().word, "a b c")
      expectEqual(data.value?.items, ["a", "b", "c"])
      expectNil(data.value?.next)
      expectEqual(data.value?.pageCount, 2)
      expectEqual(asked.cursors, [2])
    }

    @Test("3.13 with no next cursor, and with no first page, there is no request")
    func nothingNext() async {
      await expectEqual(next().end().word, "no first page")
      data.value = Pages(first: .init(items: ["a"], next: nil))
      await expectEqual(next().end().word, "no further page")
      data.value = nil
      await expectEqual(next().end().word, "no first page")
      expectEqual(asked.cursors, [])
      #expect(!data.isRunning)
    }

    @Test("3.13 a request for the next page joins one that runs")
    func joins() async {
      data.value = Pages(first: .init(items: ["a"], next: 2))
      let loads = [next(), next()]
      await gate.arrived(1)
      await loads[1].begun()
      gate.answer(call: 1, with: .success(.init(items: ["b"], next: nil)))
      for load in loads { await expectEqual(load.end().word, "a b") }
      expectEqual(asked.cursors, [2])
    }

    @Test("3.13 during a request for the first page the next is refused")
    func refused() async {
      data.value = Pages(first: .init(items: ["a"], next: 2))
      let load = first()
      await gate.arrived(1)
      await expectEqual(next().end().word, "superseded")
      expectEqual(asked.cursors, [nil])
      gate.answer(call: 1, with: .success(.init(items: ["x"], next: nil)))
      _ = await load.end()
      expectEqual(data.value?.items, ["x"])
    }

    @Test("3.13 a request for the first page supersedes one for the next")
    func firstSupersedesNext() async {
      data.value = Pages(first: .init(items: ["a"], next: 2))
      let nextLoad = next()
      await gate.arrived(1)
      let firstLoad = first(.reload)
      await gate.arrived(2)
      await expectEqual(nextLoad.end().word, "superseded")
      gate.answer(call: 2, with: .success(.init(items: ["x"], next: nil)))
      _ = await firstLoad.end()
      expectEqual(data.value?.items, ["x"])
    }

    @Test("3.13 a failure keeps pages and cursor, and the same page can be requested again")
    func failure() async {
      data.value = Pages(first: .init(items: ["a"], next: 2))
      let failing = next()
      await gate.arrived(1)
      gate.answer(call: 1, with: .failure(Failure()))
      await expectEqual(failing.end().word, "failure failure")
      expectEqual(data.value, Pages(first: .init(items: ["a"], next: 2)))
      expectNil(data.error)
      #expect(data.nextPage.error is Failure && !data.nextPage.isRunning)
      expectNil(data.snapshot.previousPage.error)
      let again = next()
      await gate.arrived(2)
      gate.answer(call: 2, with: .success(.init(items: ["b"], next: nil)))
      _ = await again.end()
      expectEqual(data.value?.items, ["a", "b"])
      expectEqual(asked.cursors, [2, 2])
    }

    @Test("3.13 an item can be changed in place, and the pages and their cursors stay")
    func itemInPlace() async {
      var pages = Pages(first: .init(items: ["a", "b"], next: 2, previous: nil))
      pages.append(.init(items: ["c"], next: 3, previous: 1))
      pages[1] = "B"
      expectEqual(pages.items, ["a", "B", "c"])
      expectEqual(pages[1], "B")
      expectEqual(pages.pageCount, 2)
      expectEqual(pages.next, 3)
      data.value = pages
      let outcome = await data.mutate {
        $0[0] = "A"
      } commit: {
      }
      guard case .success = outcome else { return #expect(Bool(false)) }
      expectEqual(data.value?.items, ["A", "B", "c"])
      expectEqual(data.value?.next, 3)
    }
  }
}
