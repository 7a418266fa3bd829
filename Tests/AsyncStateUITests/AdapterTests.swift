// SPDX-License-Identifier: MIT
// What the adapters do with the frameworks themselves. Where there are none, as on Linux, this module is empty; there
// Tests/Platforms/ runs the same tests against its stand-ins, and many more.

import AsyncStateLists

#if canImport(UIKit) && !os(watchOS)
  import AsyncState
  import AsyncStateUI
  import Testing
  import UIKit

  @MainActor
  struct AdapterTests {
    @Test("15.1 a container in no window exchanges its children and keeps their order")
    func containment() {
      let parts = [UIViewController(), UIViewController(), UIViewController()]
      let screen = StateViewController(initialState: [0]) { state in state.map { parts[$0] } }
      screen.setNeedsTransition(to: [0, 1], animated: false)
      #expect(screen.children == [parts[0], parts[1]])
      screen.loadViewIfNeeded()
      #expect(screen.view.subviews == [parts[0].view, parts[1].view])
      screen.setNeedsTransition(to: [2, 1], animated: true)
      #expect(screen.view.subviews == [parts[2].view, parts[1].view])
      #expect(parts[0].parent == nil && parts[0].view.superview == nil)
      #expect(screen.topChild === parts[1])
      screen.giveUp(parts[1])
      #expect(parts[1].parent == nil)
    }

    @Test("6.1 a screen requests its resource when it appears, and displays the content")
    func resource() {
      let resource = AsyncResource<String> { nil }
      let screen = AsyncViewController(resource, pacer: nil) { _ in UIViewController() }
      screen.loadViewIfNeeded()
      #expect(!resource.isRunning)
      UIView.setAnimationsEnabled(false)
      defer { UIView.setAnimationsEnabled(true) }
      let window = UIWindow()
      window.rootViewController = screen
      window.makeKeyAndVisible()
      #expect(resource.isRunning)
      #expect(screen.contentUnavailableConfiguration != nil)
      resource.data.value = "a"
      #expect(screen.contentUnavailableConfiguration == nil)
      #expect(screen.children.count == 1)
      window.rootViewController = nil
    }

    @Test("8.1 a table in no window has the rows of its data source")
    func rows() {
      let table = UITableView()
      table.register(UITableViewCell.self, forCellReuseIdentifier: "row")
      let items = Input([1, 2])
      let source = ListDataSource<Int, UITableViewCell>(
        items: items,
        dequeue: { table.dequeueReusableCell(withIdentifier: "row", for: IndexPath(row: $0, section: 0)) },
        configure: { _, _ in })
      let rows = TableRows(source, in: table)
      #expect(table.numberOfRows(inSection: 0) == 2)
      items.write([1, 2, 3])
      #expect(table.numberOfRows(inSection: 0) == 3)
      withExtendedLifetime(rows) {}
    }
  }
#endif

#if canImport(AppKit) && !canImport(UIKit)
  import AppKit
  import AsyncState
  import AsyncStateUI
  import Testing

  @MainActor
  struct AdapterTests {
    final class Part: NSViewController {
      override func loadView() { view = NSView() }
    }

    @Test("15.1 a container in no window exchanges its children and keeps their order")
    func containment() {
      let parts = [Part(nibName: nil, bundle: nil), Part(nibName: nil, bundle: nil), Part(nibName: nil, bundle: nil)]
      let screen = StateViewController(initialState: [0]) { state in state.map { parts[$0] } }
      screen.setNeedsTransition(to: [0, 1], animated: false)
      #expect(screen.children == [parts[0], parts[1]])
      #expect(screen.view.subviews == [parts[0].view, parts[1].view])
      screen.setNeedsTransition(to: [2, 1], animated: true)
      #expect(screen.view.subviews == [parts[2].view, parts[1].view])
      #expect(parts[0].parent == nil && parts[0].view.superview == nil)
    }
  }
#endif
