// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateUI
import SwiftUI
import Testing

/// Endless lists in a lazy container.
@MainActor
@Suite(.bothOrders, .unpaced)
struct EndlessListTests {
  /// A lazy list: of its rows, and of the footer behind them, only those are drawn that are visible.
  final class LazyList: EndlessListScreen {
    private let feed: AsyncResource<Paged<Int, Int>>
    private let place = Place()
    private let host: ViewHost

    final class Place {
      var row = 0
      var status: String?
    }

    init(_ feed: AsyncResource<Paged<Int, Int>>) {
      self.feed = feed
      host = ViewHost { [place] in Rows(feed: feed, place: place) }
    }

    struct Rows: View {
      let feed: AsyncResource<Paged<Int, Int>>
      let place: Place

      var body: some View {
        let items = feed.value?.items ?? []
        let visible = place.row..<place.row + 5
        VStack {
          ForEach(Array(items.indices.clamped(to: visible)), id: \.self) { Text("\(items[$0])") }
          if let status = place.status { Text(status) }
          if visible.upperBound >= items.count { AsyncPageFooter(feed) }
        }
      }
    }

    func scroll(to row: Int) {
      place.row = row
      host.redraw()
    }
    func redraw() { host.redraw() }
    func setStatusRow(_ text: String?) {
      place.status = text
      host.redraw()
    }
    func draw() async { host.draw() }
  }

  @Test("8.5, 9.15 an endless list: failures, retries, refreshes, status rows")
  func list() async {
    #expect(await EndlessListSuite<LazyList>.faultsAtFailures() == [])
  }

  @Test("9.15, 9.18 an endless list with a server that is slow, and one that counts")
  func servers() async {
    #expect(await EndlessListSuite<LazyList>.faultsWithServers() == [])
  }

  @Test("8.5, 9.15 an endless list at random")
  func randomList() async {
    #expect(await EndlessListSuite<LazyList>.faultsAtRandom() == [])
  }
}
