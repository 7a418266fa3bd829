// SPDX-License-Identifier: MIT
import AppKit
import AsyncState
import AsyncStateLists
import AsyncStateTesting
import AsyncStateUI
import SwiftUI
import Testing

extension StandInTests {
  /// Lists whose data source and delegate are the client's, and the footer of an endless one.
  @MainActor
  @Suite(.serialized)
  struct DiffableTests {
    struct Row: Identifiable, Equatable {
      var id: Int
      var text: String
    }

    final class Cell: NSView {
      var text = ""
    }

    final class Item: NSCollectionViewItem {
      var text = ""
      init(_ text: String) {
        self.text = text
        super.init(nibName: nil, bundle: nil)
      }
      required init?(coder: NSCoder) { nil }
    }

    final class Screen: NSViewController {
      let table = NSTableView(frame: .zero)
      init() { super.init(nibName: nil, bundle: nil) }
      required init?(coder: NSCoder) { nil }
      override func loadView() {
        view = NSView(frame: .zero)
        view.addSubview(table)
      }
    }

    @Test("8.1 a table with the client's own data source follows the rows, and the first of equal identities is shown")
    func table() {
      let screen = Screen()
      let window = NSWindow()
      window.contentViewController = screen
      let rows = Input([Row(id: 1, text: "a"), Row(id: 1, text: "again"), Row(id: 2, text: "b")])
      let source = ListDataSource<Row, NSView>(
        items: rows, dequeue: { _ in Cell(frame: .zero) }, configure: { ($0 as? Cell)?.text = $1.text })
      let dataSource = NSTableViewDiffableDataSource<String, Int>(tableView: screen.table) { _, _, row, id in
        source.cell(of: id, at: ListPath(row: row)) ?? NSView(frame: .zero)
      }
      func texts() -> [String?] {
        (0..<screen.table.numberOfRows).map {
          (screen.table.view(atColumn: 0, row: $0, makeIfNecessary: true) as? Cell)?.text
        }
      }
      let token = dataSource.bind(to: source) { _ in "x" }
      #expect(texts() == ["a", "b"])
      rows.write([Row(id: 2, text: "B"), Row(id: 3, text: "c")])
      #expect(texts() == ["B", "c"])
      rows.change { $0[0].text = "b" }
      #expect(texts() == ["b", "c"])
      #expect(dataSource.snapshot().reloadedItemIdentifiers == [2])
      #expect(dataSource.applied == [false, true, true])
      withExtendedLifetime((window, token)) {}
    }

    @Test("8.1 a collection with the client's own data source follows the rows, in sections")
    func collection() {
      let collection = NSCollectionView(frame: .zero)
      let sections = Input([ListSection(id: "x", items: [Row(id: 1, text: "a")])])
      let source = ListDataSource<Row, NSCollectionViewItem>(
        sections: sections, dequeue: { _ in Item("") }, configure: { ($0 as? Item)?.text = $1.text })
      let dataSource = NSCollectionViewDiffableDataSource<String, Int>(collectionView: collection) { _, path, id in
        source.cell(of: id, at: ListPath(path))
      }
      let token = dataSource.bind(to: source) { "\($0.id)" }
      func texts() -> [String?] { collection.items.map { ($0 as? Item)?.text } }
      #expect(texts() == ["a"])
      sections.write([
        ListSection(id: "y", items: [Row(id: 2, text: "b")]), ListSection(id: "x", items: [Row(id: 1, text: "A")]),
      ])
      #expect(texts() == ["b", "A"])
      withExtendedLifetime((token, dataSource)) {}
    }

    @Test("8.5 the footer of SwiftUI below a table of AppKit, which requests nothing by itself")
    func footer() async {
      let gate = ManualServer<Paged<Int, Int>.Page>()
      let feed = AsyncResource(.pages { page in try await gate.wait(for: page.cursor ?? 0) })
      let screen = Screen()
      let window = NSWindow()
      window.contentViewController = screen
      let footer = NSHostingView(rootView: AsyncPageFooter(feed, requestsPages: false))
      screen.view.addSubview(footer)
      gate.answer(for: 0, with: .success(.init(items: [0], next: 1)))
      await feed.load()
      footer.host?.draw()
      #expect(footer.host?.texts == [])
      let page = Task { await feed.loadNext() }
      await gate.arrived(for: 1)
      footer.host?.draw()
      #expect(footer.host?.texts == ["(progress)"])
      gate.answer(for: 1, with: .success(.init(items: [1], next: nil)))
      _ = await page.value
      footer.host?.draw()
      #expect(footer.host?.texts == [])
      withExtendedLifetime(window) {}
    }
  }
}
