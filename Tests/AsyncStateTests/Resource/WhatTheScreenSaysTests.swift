// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// What a screen says is up to date, or on its way.
  @MainActor
  struct WhatTheScreenSaysTests {
    private struct Row: Identifiable, Equatable, Sendable {
      let id: Int
      var title = "old"
    }
    private typealias Rows = Paged<Row, Int>

    /// Loads a list whose first page has the row 1, and names another page.
    private func loadFirstPage(of screen: AsyncResource<Rows>, from pages: ManualServer<Rows.Page>) async {
      screen.start()
      await pages.answer(arriving: 1, with: .success(.init(items: [Row(id: 1)], next: 1)))
      await screen.settled()
    }

    @Test(
      "11.2, 11.3 a board waits for the page that a person waits for; then the list, or one with a row of the tag, is not fresh",
      arguments: [AsyncTag("all"), AsyncTag("row", 2)])
    func pageOnItsWay(tag: AsyncTag) async {
      let (board, pages) = (AsyncTagBoard(), ManualServer<Rows.Page>())
      let family = AsyncFamily<Int, Rows>(
        board: board, tags: { _, list in Set((list?.items ?? []).map { AsyncTag("row", $0.id) } + ["all"]) }
      ) { (_: Int) in .pages { (page: PageRequest<Row, Int>) in try await pages.wait(for: page.cursor ?? 0) } }
      let screen = family[1]
      await loadFirstPage(of: screen, from: pages)
      let next = Waiting { "\(await screen.loadNext())" }
      await pages.arrived(2)
      // The server has made its answer; then row 2 is renamed.
      board.invalidate(tag)
      await turns()
      expectEqual(pages.callCount, 2, "requested after the page")
      pages.answer(call: 2, with: .success(.init(items: [Row(id: 2)])))
      let outcome = await next.end()
      expect(!outcome.contains("superseded"), "\(outcome)")
      await turns()
      expect(screen.isStale || screen.isRunning, "\(screen.value?.items ?? [])")
    }

    @Test(
      "9.3, 10.4, 19.8 an observer of a break that leaves the key, or gives up, ends the stream: it is not connected again",
      arguments: ["key", "nil", "forget", "reset", "cancel"])
    func breakAndObserver(_ what: String) async {
      let stage = LiveStage()
      let key = Input<Int?>(1)
      let resource = AsyncResource<Int>(
        following: key.observed, delay: .seconds(1),
        options: LoadOptions(retry: .exponential(first: .seconds(1), jitter: { $0 }), clock: stage.clock)
      ) { key in .live { stage.connect(key) } }
      resource.start()
      await stage.connected(1)
      stage.send(10)
      await resource.settled()
      var (isEnding, hasRun) = (false, false)
      let token = resource.observed.observe { _ in
        guard isEnding else { return }
        (isEnding, hasRun) = (false, true)
        switch what {
        case "key": key.write(2)
        case "nil": key.write(nil)
        case "forget": resource.forget()
        case "reset": resource.reset()
        default: resource.cancel()
        }
      }
      isEnding = true
      stage.end(1, throwing: Failure(name: "broken"))
      await turns()
      // What else it may do waits for the delay of the new key.
      expect(hasRun)
      expect(!resource.isRunning)
      await stage.clock.advance(by: .seconds(5))
      await turns()
      expectEqual(stage.keys, what == "key" ? [1, 2] : [1])
      stage.send(11, on: 2)
      await turns()
      expectEqual((resource.value == 11), (what == "key"), "an element of the former key is displayed")
      resource.cancel()
      withExtendedLifetime(token) {}
    }

    @Test("3.9, 9.6 pages that a refresh has received before the gate was closed for an hour are requested again")
    func keptPageBehindGate() async {
      let (clock, gate, pages) = (ManualClock(), LoadGate(), ManualServer<Rows.Page>())
      let options = LoadOptions(
        staleAfter: .seconds(60), retry: .exponential(first: .seconds(1), jitter: { $0 }), clock: clock, gate: gate)
      let feed = AsyncResource<Rows>(
        options: options, .pages { (page: PageRequest<Row, Int>) in try await pages.wait(for: page.cursor ?? 0) })
      await loadFirstPage(of: feed, from: pages)
      let next = Waiting { _ = await feed.loadNext() }
      await pages.answer(arriving: 2, with: .success(.init(items: [Row(id: 2)])))
      await next.end()
      feed.refresh()
      await pages.answer(arriving: 3, with: .success(.init(items: [Row(id: 1, title: "of 9:00")], next: 1)))
      await pages.arrived(4)
      // The network is lost.
      gate.close()
      pages.answer(call: 4, with: .failure(Failure(name: "lost")))
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(1))
      await turns()
      expect(feed.isWaiting)
      await clock.advance(by: .seconds(3600))
      gate.open()
      await pages.arrived(5)
      let cursor = pages.arguments(as: Int.self).last
      pages.answer(call: 5, with: .success(.init(items: [Row(id: cursor == 0 ? 1 : 2, title: "of 10:00")])))
      await feed.settled()
      expect(
        feed.isStale || feed.value?.items.first?.title == "of 10:00",
        "age \(String(describing: feed.data.age)), \(feed.value?.items ?? [])")
    }

    @Test("11.2 a resource that is released during a request of its board leaves its place", arguments: [false, true])
    func resourceOfBoardIsReleased(waits: Bool) async {
      let board = AsyncTagBoard(gate: LoadGate(width: 1))
      let server = ManualServer<Int>()
      var inbox: AsyncResource<Int>? = AsyncResource { try await server.wait() }
      board.add(inbox!, tags: ["m"])
      inbox?.start()
      await server.answer(arriving: 1, with: .success(1))
      await inbox?.settled()
      var refresh: BoardRefresh? = board.invalidate("m")
      await server.arrived(2)
      let weak = Weak(inbox?.data)
      let finished = waits ? refresh.map { refresh in Waiting { await refresh.finished() } } : nil
      refresh = nil
      await finished?.begun()
      // The screen is closed while the board requests its value.
      inbox = nil
      await turns()
      expectNil(weak.object)
      let other = AsyncResource { try await server.wait() }
      board.add(other, tags: ["m"])
      other.start()
      await server.answer(arriving: 3, with: .success(3))
      await other.settled()
      board.invalidate("m")
      await turns()
      expect(other.isRunning, "the board requests nothing any more")
      if let finished { expect(finished.result != nil, "finished() waits for ever") }
      finished?.cancel()
      other.cancel()
    }

    @Test("3.7 a refresh in the place of a reload that waits offline hides nothing")
    func waitingReloadThenRefresh() async {
      let stage = GateStage()
      let resource = stage.resource()
      stage.gate.open()
      resource.start()
      await stage.answer(1, 1)
      await resource.settled()
      stage.gate.close()
      resource.reload()
      expectEqual(resource.status.kind, .data)
      resource.refresh()
      expectEqual(resource.status.kind, .data)
      stage.gate.open()
      await stage.server.arrived(2)
      expectEqual(resource.status.kind, .data, "a refresh hides what no reload has hidden")
      await stage.answer(2, 2)
      await resource.settled()
    }
  }
}
