// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateLists
import AsyncStateTesting
import AsyncStateUI
import Foundation
import Testing
import UIKit

extension StandInTests {
  /// Lists whose data source and delegate are the client's, and the footer of an endless one.
  @MainActor
  @Suite(.serialized)
  struct DiffableTests {
    struct Row: Identifiable, Equatable {
      var id: Int
      var text: String
    }

    final class Headers: UITableViewDiffableDataSource<String, Int> {}

    private let window = UIWindow()
    private let screen = UIViewController()

    init() {
      StandIn.reset()
      window.rootViewController = screen
      window.makeKeyAndVisible()
    }

    private func text(_ cell: UITableViewCell?) -> String? {
      (cell?.contentConfiguration as? UIListContentConfiguration)?.text
    }

    private func texts(_ table: UITableView) -> [String?] {
      (table.indexPathsForVisibleRows ?? []).map { text(table.cellForRow(at: $0)) }
    }

    private func makeSource(_ table: UITableView, _ sections: Observed<[ListSection<Row>]>) -> ListDataSource<
      Row, UITableViewCell
    > {
      table.register(UITableViewCell.self, forCellReuseIdentifier: "row")
      return ListDataSource(
        sections: sections,
        dequeue: { [unowned table] in table.dequeueReusableCell(withIdentifier: "row", for: $0.indexPath) },
        configure: { cell, row in
          var content = cell.defaultContentConfiguration()
          content.text = row.text
          cell.contentConfiguration = content
        })
    }

    @Test("8.1 a table with the client's own data source follows the rows; what has changed keeps its cell")
    func table() {
      let table = UITableView()
      screen.view.addSubview(table)
      let rows = Input([Row(id: 1, text: "a"), Row(id: 2, text: "b")])
      let source = makeSource(table, rows.map { [ListSection(id: "x", items: $0)] })
      let dataSource = Headers(tableView: table) { _, path, id in source.cell(of: id, at: ListPath(path)) }
      var token: ObservedToken? = dataSource.bind(to: source) { _ in "x" }
      #expect(texts(table) == ["a", "b"])
      #expect(dataSource.applied == [false])
      let cell = table.cellForRow(at: IndexPath(row: 1, section: 0))
      rows.change { $0[1].text = "B" }
      #expect(texts(table) == ["a", "B"])
      #expect(table.cellForRow(at: IndexPath(row: 1, section: 0)) === cell)
      rows.change { $0.swapAt(0, 1) }
      rows.change { $0.append(Row(id: 3, text: "c")) }
      #expect(texts(table) == ["B", "a", "c"])
      #expect(dataSource.applied == [false, true, true, true])
      token = nil
      rows.write([])
      #expect(texts(table) == ["B", "a", "c"])
      withExtendedLifetime(token) {}
    }

    @Test("8.1 an identity that is there twice: the first is displayed, and the rows behind it show their own items")
    func repeatedIdentity() {
      let table = UITableView()
      screen.view.addSubview(table)
      let rows = Input([Row(id: 1, text: "a"), Row(id: 1, text: "again"), Row(id: 2, text: "b")])
      let source = makeSource(table, rows.map { [ListSection(id: "x", items: $0)] })
      let dataSource = Headers(tableView: table) { _, path, id in source.cell(of: id, at: ListPath(path)) }
      let token = dataSource.bind(to: source) { _ in "x" }
      #expect(texts(table) == ["a", "b"])
      rows.change { $0[2].text = "B" }
      #expect(texts(table) == ["a", "B"])
      #expect(source.cell(of: 9, at: ListPath(row: 0)) == nil)
      withExtendedLifetime(token) {}
    }

    @Test("8.1 two hundred random changes of a table and a collection in sections: what is displayed are the rows")
    func randomChanges() {
      let (table, collection) = (
        UITableView(), UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewLayout())
      )
      screen.view.addSubview(table)
      screen.view.addSubview(collection)
      collection.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "row")
      let sections = Input<[ListSection<Row>]>([])
      let source = makeSource(table, sections)
      let items = ListDataSource<Row, UICollectionViewCell>(
        sections: sections,
        dequeue: { [unowned collection] in
          collection.dequeueReusableCell(withReuseIdentifier: "row", for: $0.indexPath)
        },
        configure: { cell, row in
          var content = UIListContentConfiguration.cell()
          content.text = row.text
          cell.contentConfiguration = content
        })
      let tableRows = Headers(tableView: table) { _, path, id in source.cell(of: id, at: ListPath(path)) }
      let collectionItems = UICollectionViewDiffableDataSource<String, Int>(collectionView: collection) { _, path, id in
        items.cell(of: id, at: ListPath(path))
      }
      let tokens = [
        tableRows.bind(to: source) { "\($0.id)" }, collectionItems.bind(to: items) { "\($0.id)" },
      ]
      var generator = Generator(seed: 11)
      for _ in 0..<200 {
        let ids = Array(0..<5).shuffled(using: &generator)
        let next = ids.map { Row(id: $0, text: "\($0)" + (Bool.random(using: &generator) ? "a" : "b")) }
        let cut = Int.random(in: 0...5, using: &generator)
        let order = Bool.random(using: &generator) ? ["x", "y"] : ["y", "x"]
        sections.write([
          ListSection(id: order[0], items: Array(next[..<cut])), ListSection(id: order[1], items: Array(next[cut...])),
        ])
        #expect(texts(table) == next.map(\.text))
        let paths = next.indices.map {
          $0 < cut ? IndexPath(item: $0, section: 0) : IndexPath(item: $0 - cut, section: 1)
        }
        let shown = paths.map { path in
          (collection.cellForItem(at: path)?.contentConfiguration as? UIListContentConfiguration)?.text
        }
        #expect(shown == next.map(\.text))
      }
      withExtendedLifetime(tokens) {}
    }

    @Test("8.5 a footer: an indicator while a page is requested, its error with a retry, then nothing")
    func footer() async throws {
      struct Offline: LocalizedError {
        var errorDescription: String? { "You are offline." }
      }
      let gate = ManualServer<Paged<Int, Int>.Page>()
      let feed = AsyncResource(.pages { page in try await gate.wait(for: page.cursor ?? 0) })
      let table = UITableView()
      screen.view.addSubview(table)
      let footer = PageFooterView(feed)
      table.tableFooterView = footer
      func visible() -> [String] {
        footer.subviews.filter { !$0.isHidden }.map { "\(type(of: $0))" }
      }
      #expect(visible() == [])
      gate.answer(for: 0, with: .success(.init(items: [0], next: 1)))
      await feed.load()
      #expect(visible() == [])
      let page = Task { await feed.loadNext() }
      await gate.arrived(for: 1)
      #expect(visible() == ["UIActivityIndicatorView"])
      gate.answer(for: 1, with: .failure(Offline()))
      _ = await page.value
      #expect(visible() == ["UILabel", "UIButton"])
      #expect(UIAccessibility.posts == ["announcement You are offline."])
      // The list changes, and nothing is read again.
      await feed.mutate {
        $0[0] = 7
      } commit: {
      }
      #expect(UIAccessibility.posts == ["announcement You are offline."] && visible() == ["UILabel", "UIButton"])
      let button = try #require(footer.subviews.last as? UIButton)
      button.sendActions(for: .primaryActionTriggered)
      await gate.arrived(3)
      #expect(visible() == ["UIActivityIndicatorView"])
      gate.answer(for: 1, with: .success(.init(items: [1], next: nil)))
      await feed.settled()
      #expect(visible() == [])
      #expect(feed.value?.items == [7, 1])
    }
  }
}
