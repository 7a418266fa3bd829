// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateLists
import AsyncStateUI
import Foundation
import Testing
import Toolkit
#if canImport(UIKit)
  private typealias TableSource = UITableViewDiffableDataSource<String, Int>
  private typealias CollectionSource = UICollectionViewDiffableDataSource<String, Int>
#else
  private typealias TableSource = NSTableViewDiffableDataSource<String, Int>
  private typealias CollectionSource = NSCollectionViewDiffableDataSource<String, Int>
#endif

/// A table and a collection whose data sources are the client's.
@MainActor
private final class Lists {
  let screen = TableScreen()
  var table: Table { screen.table }
  let rows: TableSource
  let items: CollectionSource
  var texts: () -> [String?] = { [] }
  var itemTexts: () -> [String?] = { [] }
  var tokens: [ObservedToken] = []

  #if canImport(UIKit)
    init(_ sections: Observed<[ListSection<Row>]>, in window: Window) {
      window.root = screen
      let collection = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewLayout())
      let table = screen.table
      screen.view.addSubview(collection)
      table.register(UITableViewCell.self, forCellReuseIdentifier: "row")
      collection.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "row")
      func content(_ row: Row) -> UIListContentConfiguration {
        var content = UIListContentConfiguration.cell()
        content.text = row.text
        return content
      }
      let source = ListDataSource<Row, UITableViewCell>(
        sections: sections,
        dequeue: { [unowned table] in table.dequeueReusableCell(withIdentifier: "row", for: $0.indexPath) },
        configure: { $0.contentConfiguration = content($1) })
      let itemSource = ListDataSource<Row, UICollectionViewCell>(
        sections: sections,
        dequeue: { [unowned collection] in
          collection.dequeueReusableCell(withReuseIdentifier: "row", for: $0.indexPath)
        },
        configure: { $0.contentConfiguration = content($1) })
      rows = TableSource(tableView: table) { _, path, id in source.cell(of: id, at: ListPath(path)) }
      items = CollectionSource(collectionView: collection) { _, path, id in itemSource.cell(of: id, at: ListPath(path))
      }
      texts = {
        (table.indexPathsForVisibleRows ?? []).map {
          (table.cellForRow(at: $0)?.contentConfiguration as? UIListContentConfiguration)?.text
        }
      }
      itemTexts = {
        collection.indexPathsForVisibleItems.map {
          (collection.cellForItem(at: $0)?.contentConfiguration as? UIListContentConfiguration)?.text
        }
      }
      tokens = [rows.bind(to: source) { "\($0.id)" }, items.bind(to: itemSource) { "\($0.id)" }]
    }
  #else
    final class Cell: NSView {
      var text = ""
    }
    final class Item: NSCollectionViewItem {
      var text = ""
    }

    init(_ sections: Observed<[ListSection<Row>]>, in window: Window) {
      window.root = screen
      let (table, collection) = (screen.table, NSCollectionView(frame: .zero))
      screen.view.addSubview(collection)
      // A table of AppKit has one section.
      let source = ListDataSource<Row, NSView>(
        items: sections.map { $0.flatMap(\.items) }, dequeue: { _ in Cell(frame: .zero) },
        configure: { ($0 as? Cell)?.text = $1.text })
      let itemSource = ListDataSource<Row, NSCollectionViewItem>(
        sections: sections, dequeue: { _ in Item(nibName: nil, bundle: nil) },
        configure: { ($0 as? Item)?.text = $1.text })
      rows = TableSource(tableView: table) { _, _, row, id in
        source.cell(of: id, at: ListPath(row: row)) ?? NSView(frame: .zero)
      }
      items = CollectionSource(collectionView: collection) { _, path, id in itemSource.cell(of: id, at: ListPath(path))
      }
      texts = {
        (0..<table.numberOfRows).map { (table.view(atColumn: 0, row: $0, makeIfNecessary: true) as? Cell)?.text }
      }
      itemTexts = { collection.items.map { ($0 as? Item)?.text } }
      tokens = [rows.bind(to: source) { "\($0.id)" }, items.bind(to: itemSource) { "\($0.id)" }]
    }
  #endif
}

extension ToolkitTests {
  /// Lists whose data source and delegate are the client's.
  @MainActor
  struct DiffableTests {
    private let window = makeWindow()

    @Test(
      "8.1 a client's own data sources follow the rows: those that are there at once, and each change as differences")
    func follows() {
      let sections = Input([ListSection(id: "x", items: [Row(id: 1), Row(id: 2, text: "b")])])
      let lists = Lists(sections.observed, in: window)
      #expect(lists.texts() == ["a", "b"] && lists.rows.applied == [false])
      #if canImport(UIKit)
        let cell = lists.table.content(of: 1)
      #endif
      sections.change { $0[0].items[1].text = "B" }
      #expect(lists.texts() == ["a", "B"])
      #if canImport(UIKit)
        #expect(lists.table.content(of: 1) === cell, "what has changed keeps its cell")
      #endif
      sections.change { $0[0].items.swapAt(0, 1) }
      sections.change { $0[0].items.append(Row(id: 3, text: "c")) }
      #expect(lists.texts() == ["B", "a", "c"] && lists.itemTexts() == ["B", "a", "c"])
      #expect(lists.rows.applied == [false, true, true, true] && lists.items.applied == lists.rows.applied)
      // Of an identity that is there twice the first is displayed, and the rows behind it show their own items.
      sections.write([ListSection(id: "x", items: [Row(id: 1), Row(id: 1, text: "again"), Row(id: 2, text: "b")])])
      #expect(lists.texts() == ["a", "b"])
      sections.change { $0[0].items[2].text = "B" }
      #expect(lists.texts() == ["a", "B"])
      lists.tokens = []
      sections.write([])
      #expect(lists.texts() == ["a", "B"])
    }

    @Test("8.1 two hundred random changes of a table and a collection in sections: what is displayed are the rows")
    func randomChanges() {
      let sections = Input<[ListSection<Row>]>([])
      let lists = Lists(sections.observed, in: window)
      var generator = Generator(seed: 11)
      for _ in 0..<200 {
        let next = (0..<5).shuffled(using: &generator)
          .map { Row(id: $0, text: "\($0)" + (Bool.random(using: &generator) ? "a" : "b")) }
        let cut = Int.random(in: 0...5, using: &generator)
        let order = Bool.random(using: &generator) ? ["x", "y"] : ["y", "x"]
        sections.write([
          ListSection(id: order[0], items: Array(next[..<cut])), ListSection(id: order[1], items: Array(next[cut...])),
        ])
        #expect(lists.texts() == next.map(\.text) && lists.itemTexts() == next.map(\.text))
      }
    }
  }
}
