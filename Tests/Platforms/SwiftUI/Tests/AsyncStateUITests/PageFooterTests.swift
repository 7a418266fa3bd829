// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import AsyncStateUI
import Foundation
import SwiftUI
import Testing

/// The last row of an endless list.
@MainActor
@Suite(.bothOrders, .unpaced)
struct PageFooterTests {
  let gate = ManualServer<Paged<Int, Int>.Page>()

  /// A list whose first page, one row, is displayed.
  func makeScreen(
    _ gate: ManualServer<Paged<Int, Int>.Page>? = nil, requestsPages: Bool = true
  ) async -> (feed: AsyncResource<Paged<Int, Int>>, host: ViewHost) {
    let gate = gate ?? self.gate
    let feed = AsyncResource(.pages { page in try await gate.wait(for: page.cursor ?? 0) })
    let host = ViewHost {
      AsyncView(feed) { pages in
        List {
          ForEach(pages.items, id: \.self) { Text("\($0)") }
          AsyncPageFooter(feed, requestsPages: requestsPages)
        }
      }
    }
    gate.answer(for: 0, with: .success(.init(items: [0], next: 1)))
    await gate.arrived(for: 0)
    await feed.settled()
    host.draw()
    return (feed, host)
  }

  @Test("8.5 after a cancel nothing is on its way: there is no indicator, but a button")
  func cancelled() async {
    let (feed, host) = await makeScreen()
    await gate.arrived(for: 1)
    host.draw()
    #expect(host.texts == ["0", "(progress)"])
    feed.cancel()
    await host.waitForTasks()
    host.draw()
    #expect(!feed.nextPage.isRunning && host.texts == ["0", "Try Again"])
  }

  @Test("8.5 while it is displayed it requests one page after another, to the last")
  func allPages() async {
    let (feed, host) = await makeScreen()
    #expect(host.texts == ["0", "(progress)"])
    // A page may be empty, and another follow.
    await gate.arrived(for: 1)
    host.redraw()
    gate.answer(for: 1, with: .success(.init(items: [], next: 2)))
    await gate.arrived(for: 2)
    gate.answer(for: 2, with: .success(.init(items: [2])))
    await feed.settled()
    await Task { @MainActor in }.value
    host.draw()
    #expect(host.texts == ["0", "2"])
    #expect(gate.arguments(as: Int.self) == [0, 1, 2])
  }

  @Test("8.5 a page that fails is not requested again by itself, but by the button, and after a refresh")
  func failure() async throws {
    let (feed, host) = await makeScreen()
    await gate.arrived(for: 1)
    gate.answer(for: 1, with: .failure(Offline()))
    await feed.settled()
    host.draw()
    #expect(host.texts == ["0", "You are offline.", "Try Again"])
    for _ in 0..<10 { host.redraw() }
    #expect(gate.arguments(as: Int.self) == [0, 1])
    #expect(host.press("Try Again"))
    await gate.arrived(3)
    host.draw()
    #expect(host.texts == ["0", "(progress)"])
    gate.answer(for: 1, with: .failure(Offline()))
    await feed.settled()
    host.draw()
    let pull = try #require(host.refresh())
    await gate.arrived(4)
    host.draw()
    gate.answer(for: 0, with: .success(.init(items: [7], next: 1)))
    await pull.value
    host.draw()
    await gate.arrived(5)
    gate.answer(for: 1, with: .success(.init(items: [8], next: nil)))
    await feed.settled()
    host.draw()
    #expect(host.texts == ["7", "8"])
  }

  @Test("8.5 a request runs until it settles, and none follows when the screen has disappeared, or is covered")
  func disappearing() async {
    for covers in [true, false] {
      let gate = ManualServer<Paged<Int, Int>.Page>()
      let (feed, host) = await makeScreen(gate)
      await gate.arrived(for: 1)
      if covers { host.cover() } else { host.close() }
      gate.answer(for: 1, with: .success(.init(items: [1], next: 2)))
      await feed.settled()
      #expect(feed.value?.items == [0, 1] && gate.arguments(as: Int.self) == [0, 1])
    }
  }

  @Test("8.5, 9.15 a refresh that is answered before the next drawing is followed by the page that had failed")
  func refreshBeforeDrawing() async {
    let (feed, host) = await makeScreen()
    await gate.arrived(for: 1)
    gate.answer(for: 1, with: .failure(Offline()))
    await feed.settled()
    host.draw()
    gate.answer(for: 0, with: .success(.init(items: [0], next: 1)))
    await feed.load()
    host.draw()
    #expect(host.texts == ["0", "(progress)"])
    await gate.arrived(for: 1)
    gate.answer(for: 1, with: .success(.init(items: [1])))
    await feed.settled()
    host.draw()
    #expect(host.texts == ["0", "1"])
  }

  @Test("8.5, 9.15 nothing is on its way in a list by hand without a key, nor in a preview")
  func withoutKey() {
    let list = Paged<Int, Int>(first: .init(items: [0], next: 1))
    let key = Input<String?>(nil)
    let keyed = AsyncResource(following: key.observed) { (_: String) in
      .pages { _ -> Paged<Int, Int>.Page in .init(items: []) }
    }
    keyed.start()
    keyed.data.value = list
    for feed in [keyed, .preview(.value(list))] {
      let host = ViewHost { List { AsyncPageFooter(feed) } }
      #expect(host.texts == [])
    }
  }

  @Test("8.5, 9.15 a failure is displayed no more where another list, which ends, has taken the place of the pages")
  func failedAtTheEnd() async {
    let (feed, host) = await makeScreen()
    gate.answer(for: 1, with: .failure(Offline()))
    await gate.arrived(for: 1)
    await feed.settled()
    host.draw()
    #expect(host.texts == ["0", "You are offline.", "Try Again"])
    feed.receive(Paged(first: .init(items: [0, 1])))
    host.draw()
    #expect(host.texts == ["0", "1"])
  }

  @Test("8.5, 9.15 while it is displayed it requests the next page, also where a page brings no row")
  func emptyPages() async {
    let feed = AsyncResource(
      .pages { page -> Paged<Int, Int>.Page in
        let number = page.cursor ?? 0
        return .init(items: number.isMultiple(of: 2) ? [number] : [], next: number < 5 ? number + 1 : nil)
      })
    let host = ViewHost { List { AsyncPageFooter(feed) } }
    await feed.load()
    host.draw()
    // The footer is displayed alone, and is drawn between the pages.
    for _ in 0..<12 {
      await feed.settled()
      host.draw()
    }
    #expect(feed.value?.items == [0, 2, 4] && feed.value?.next == nil && host.texts == [])
  }

  @Test("8.5 one that requests no pages displays what another caller requests")
  func displayOnly() async {
    let (feed, host) = await makeScreen(requestsPages: false)
    #expect(host.texts == ["0"])
    let page = Task { await feed.loadNext() }
    await gate.arrived(for: 1)
    host.draw()
    #expect(host.texts == ["0", "(progress)"])
    gate.answer(for: 1, with: .success(.init(items: [1], next: 2)))
    _ = await page.value
    host.draw()
    #expect(host.texts == ["0", "1"])
    #expect(gate.arguments(as: Int.self) == [0, 1])
  }

  @Test("8.5 after a cancel there is a button, also where the row requests nothing by itself")
  func cancelledByHand() async {
    let (feed, host) = await makeScreen(requestsPages: false)
    feed.displaying(0..<1)
    await gate.arrived(for: 1)
    feed.cancel()
    host.draw()
    #expect(host.texts == ["0", "Try Again"])
    await feed.settled()
  }

  @Test("8.5, 9.15 a row that is covered, and drawn all the same, requests nothing until it appears again")
  func drawnWhileCovered() async {
    let (feed, host) = await makeScreen()
    await gate.arrived(for: 1)
    host.cover()
    gate.answer(for: 1, with: .success(.init(items: [1], next: 2)))
    await feed.settled()
    host.draw()
    host.redraw()
    await host.waitForTasks()
    #expect(feed.value?.items == [0, 1] && gate.arguments(as: Int.self) == [0, 1] && !feed.nextPage.isRunning)
    host.uncover()
    await gate.arrived(for: 2)
    gate.answer(for: 2, with: .success(.init(items: [2])))
    await feed.settled()
    #expect(feed.value?.items == [0, 1, 2])
  }

  @Test("8.5, 9.15 a row whose feed is exchanged requests the pages of the other one")
  func anotherFeed() async {
    let gates = [ManualServer<Paged<Int, Int>.Page>(), ManualServer<Paged<Int, Int>.Page>()]
    let feeds = gates.map { gate in AsyncResource(.pages { page in try await gate.wait(for: page.cursor ?? 0) }) }
    for (gate, feed) in zip(gates, feeds) {
      gate.answer(for: 0, with: .success(.init(items: [0], next: 1)))
      await feed.load()
    }
    var shown = 0
    let host = ViewHost { List { AsyncPageFooter(feeds[shown]) } }
    await gates[0].arrived(for: 1)
    shown = 1
    host.redraw()
    for page in 1...3 {
      await gates[1].arrived(for: page)
      gates[1].answer(for: page, with: .success(.init(items: [page], next: page < 3 ? page + 1 : nil)))
      await feeds[1].settled()
      host.draw()
    }
    #expect(feeds[1].value?.items == [0, 1, 2, 3])
    gates[0].answer(for: 1, with: .success(.init(items: [1], next: 2)))
    await feeds[0].settled()
    #expect(gates[0].callCount == 2)
  }
}
