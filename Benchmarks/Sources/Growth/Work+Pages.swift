// SPDX-License-Identifier: MIT
import AsyncState

extension Work {
  /// Lists in pages whose items have identities.
  static let pages = [
    Work("n pages of 20 items with identities appended", 100) { n in
      {
        var pages = Rows(first: page(0))
        for number in 1..<n { pages.append(page(number)) }
        tally += pages.items.count
      }
    } byHand: { n in
      {
        var (items, places) = ([Row](), [Int: Int]())
        for number in 0..<n {
          for item in page(number).items {
            places[item.id] = items.count
            items.append(item)
          }
        }
        tally += items.count + places.count
      }
    },
    Work("100 of n items removed by their identity", 2_000) { n in
      var pages = Rows(first: Rows.Page(items: (0..<n).map { Row(id: $0) }))
      return { for id in 0..<100 { pages[id: id * (n / 100)] = nil } }
    } byHand: { n in
      var items = (0..<n).map { Row(id: $0) }
      return { for id in 0..<100 { items.removeAll { $0.id == id * (n / 100) } } }
    },
    Work("100 items inserted before n", 2_000) { n in
      var pages = Rows(first: Rows.Page(items: (0..<n).map { Row(id: $0) }))
      return { for id in n..<(n + 100) { pages.insert(Row(id: id), at: 0) } }
    },
    Work("n items changed by their identity", 2_000) { n in
      var pages = Rows(first: Rows.Page(items: (0..<n).map { Row(id: $0) }))
      return { for id in 0..<n { pages[id: id]?.text += 1 } }
    } byHand: { n in
      var items = (0..<n).map { Row(id: $0) }
      let places = Dictionary(uniqueKeysWithValues: (0..<n).map { ($0, $0) })
      return { for id in 0..<n { if let place = places[id] { items[place].text += 1 } } }
    },
    Work("n items of data changed in one update", 2_000) { n in
      let list = AsyncData<Rows>()
      list.value = Rows(first: Rows.Page(items: (0..<n).map { Row(id: $0) }))
      return { list.update { for id in 0..<n { $0[id: id]?.text += 1 } } }
    },
    Work("n items of data changed, an update each", 250) { n in
      let list = AsyncData<Rows>()
      list.value = Rows(first: Rows.Page(items: (0..<n).map { Row(id: $0) }))
      return { for id in 0..<n { list.update { $0[id: id]?.text += 1 } } }
    },
    Work("n pages of 20 refreshed together", 50) { n in
      let list = AsyncResource<Rows>(.pages { request in page(request.cursor ?? 0, of: n) })
      await list.load()
      for _ in 1..<n { await list.loadNext() }
      return { await list.load() }
    },
    Work("n pages of 20 that a list displays, one after another", 50) { n in
      let list = AsyncResource<Rows>(.pages { request in page(request.cursor ?? 0, of: n) })
      await list.load()
      return {
        while let count = list.value?.items.count, count < 20 * n {
          list.displaying((count - 10)..<count)
          await list.loadNext()
        }
      }
    },
    Work("n rows displayed one by one", 1_000) { n in
      let list = AsyncResource<Rows>(.pages { _ in Rows.Page(items: (0..<n).map { Row(id: $0) }) })
      await list.load()
      return {
        for row in 0..<n {
          list.willDisplay(row: row)
          if row >= 10 { list.didEndDisplaying(row: row - 10) }
        }
      }
    },
  ]

  private typealias Rows = Paged<Row, Int>

  private struct Row: Identifiable {
    let id: Int
    var text = 0
  }

  private static func page(_ number: Int, of count: Int = .max) -> Rows.Page {
    Rows.Page(
      items: (0..<20).map { Row(id: 20 * number + $0) }, next: number + 1 < count ? number + 1 : nil)
  }
}
