// SPDX-License-Identifier: MIT

#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import AsyncState
  import AsyncStateLists
  import AsyncStateTesting
  @testable import AsyncStateUI
  import Network
  import Testing
  #if canImport(UIKit)
    import UIKit
  #else
    import AppKit
  #endif

  extension ToolkitTests {
    /// The rows of a list in no window, and the requests of lists.
    @MainActor
    struct RowsTests {
      struct Row: Identifiable, Hashable {
        var id: Int
        var text = "x"
      }

      @Test("8.1 a table in no window has the rows of its data source")
      func rows() {
        let table = Table()
        let items = Input([1, 2])
        #if canImport(UIKit)
          table.register(UITableViewCell.self, forCellReuseIdentifier: "row")
          let source = ListDataSource<Int, UITableViewCell>(
            items: items,
            dequeue: { table.dequeueReusableCell(withIdentifier: "row", for: IndexPath(row: $0, section: 0)) },
            configure: { _, _ in })
          func count() -> Int { table.numberOfRows(inSection: 0) }
        #else
          let source = ListDataSource<Int, NSView>(
            items: items, dequeue: { _ in NSView(frame: .zero) }, configure: { _, _ in })
          func count() -> Int { table.numberOfRows }
        #endif
        let rows = TableRows(source, in: table)
        #expect(count() == 2)
        items.write([1, 2, 3])
        #expect(count() == 3)
        withExtendedLifetime(rows) {}
      }

      private func changed(_ snapshot: NSDiffableDataSourceSnapshot<String, Int>) -> [Int] {
        #if canImport(UIKit)
          snapshot.reconfiguredItemIdentifiers
        #else
          snapshot.reloadedItemIdentifiers
        #endif
      }

      @Test("8.1 a snapshot is fed by identity, and items that have changed are configured again")
      func snapshots() {
        let former = [ListSection(id: "s", items: [Row(id: 1), Row(id: 2)])]
        let next = [ListSection(id: "s", items: [Row(id: 2, text: "y"), Row(id: 3)])]
        let snapshot = NSDiffableDataSourceSnapshot<String, Int>(next, replacing: former) { _ in "s" }
        #expect(snapshot.itemIdentifiers == [2, 3] && snapshot.sectionIdentifiers == ["s"])
        #expect(changed(snapshot) == [2])
      }

      @Test("8.1 an identity that a server sends twice is displayed once, the first time, in one section or in two")
      func repeatedIdentities() {
        let former = [ListSection(id: "a", items: [Row(id: 1), Row(id: 2)])]
        let next = [
          ListSection(id: "a", items: [Row(id: 1, text: "y"), Row(id: 1, text: "z")]),
          ListSection(id: "b", items: [Row(id: 2, text: "y"), Row(id: 1)]),
          ListSection(id: "a", items: [Row(id: 3), Row(id: 2, text: "z")]),
        ]
        let snapshot = NSDiffableDataSourceSnapshot<String, Int>(next, replacing: former) { "\($0.id)" }
        #expect(snapshot.sectionIdentifiers == ["a", "b"])
        #expect(snapshot.itemIdentifiers(inSection: "a") == [1, 3])
        #expect(snapshot.itemIdentifiers(inSection: "b") == [2])
        #expect(changed(snapshot) == [1, 2])
      }

      #if canImport(UIKit)
        @Test("15.10 a list that is never to measure a row again is left so; another one measures those that grow")
        func measuring() {
          for (former, expected) in [
            (UITableView.SelfSizingInvalidation.disabled, UITableView.SelfSizingInvalidation.disabled),
            (.enabled, .enabledIncludingConstraints),
          ] {
            let table = UITableView()
            table.selfSizingInvalidation = former
            let source = ListDataSource<Int, UITableViewCell>(
              items: Input([Int]()), dequeue: { _ in UITableViewCell(style: .default, reuseIdentifier: nil) },
              configure: { _, _ in })
            let rows = TableRows(source, in: table)
            #expect(table.selfSizingInvalidation == expected)
            withExtendedLifetime(rows) {}
          }
        }
      #endif

      // MARK: Requests

      private let gate = ManualServer<String?>()

      @Test("15.10 a prefetch that is given up ends, unless a row is displayed by then; the others go on")
      func givingUp() async {
        let posts = AsyncFamily<Int, String> { [gate] key in try await gate.wait(for: key) }
        let prefetch = RowPrefetch(posts)
        prefetch.begin([1, 2, 3])
        prefetch.begin([1])
        for key in 1...3 { await gate.arrived(for: key) }
        #expect(gate.callCount == 3)
        let displayed = posts[2]
        let row = Task { _ = await displayed.load(when: .stale) }
        await Task { @MainActor in }.value
        prefetch.end([1, 2])
        gate.answer(for: 2, with: .success("two"))
        await row.value
        #expect(posts[1].value == nil && !posts[1].isRunning && displayed.value == "two")
        gate.answer(for: 3, with: .success("three"))
        await posts[3].settled()
        #expect(posts[3].value == "three")
        // Given up and begun again: it is requested again.
        prefetch.begin([1])
        await gate.arrived(4)
        gate.answer(for: 1, with: .success("one"))
        await posts[1].settled()
        #expect(posts[1].value == "one")
      }

      @Test("3.4, 10.4 two lists that prefetch one key, and a prefetch of the family, have an interest each")
      func interests() async {
        let posts = AsyncFamily<Int, String> { [gate] key in try await gate.wait(for: key) }
        posts.prefetch(1)
        let lists = [RowPrefetch(posts), RowPrefetch(posts)]
        for list in lists { list.begin([1, 2]) }
        await gate.arrived(for: 1)
        await gate.arrived(for: 2)
        lists[0].end([1, 2])
        lists[1].end([1])
        await Task { @MainActor in }.value
        #expect(posts[1].isRunning && posts[2].isRunning)
        for key in 1...2 { gate.answer(for: key, with: .success("\(key)")) }
        await posts.settled()
        #expect(posts[1].value == "1" && posts[2].value == "2" && gate.callCount == 2)
        // Begun and given up in one turn: nothing is requested.
        posts.invalidate { _ in true }
        lists[0].begin([1])
        lists[0].end([1])
        await Task { @MainActor in }.value
        #expect(gate.callCount == 2)
      }

      @Test("15.7 the system is believed that there is no network if it has had one, and never on a watch")
      func reports() {
        var phone = NetworkCondition(isReliable: true)
        phone.note(.unsatisfied)
        #expect(phone.isOnline, "a simulator after one loss")
        phone.note(.satisfied)
        phone.note(.unsatisfied)
        #expect(!phone.isOnline)
        phone.note(.requiresConnection)
        #expect(phone.isOnline)
        phone.note(.unsatisfied)
        phone.insist()
        #expect(phone.isOnline)
        phone.note(.unsatisfied)
        #expect(!phone.isOnline)
        var watch = NetworkCondition(isReliable: false)
        for status in [NWPath.Status.unsatisfied, .satisfied, .unsatisfied] {
          watch.note(status)
          #expect(watch.isOnline)
        }
      }
    }
  }
#endif
