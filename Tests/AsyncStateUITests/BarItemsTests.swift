// SPDX-License-Identifier: MIT

#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import AsyncState
  import AsyncStateUI
  import Testing
  import UIKit

  extension UIBarButtonItem {
    fileprivate convenience init(named title: String) {
      self.init()
      self.title = title
    }
  }

  extension ToolkitTests {
    /// What bars display of a screen: they read it of the direct child of their controller, once.
    @MainActor
    struct BarItemsTests {
      final class Articles: UIViewController {
        let edit = UIBarButtonItem(named: "Edit")
        override func viewDidLoad() {
          super.viewDidLoad()
          title = "Articles"
          navigationItem.rightBarButtonItem = edit
        }
      }

      @Test("15.9 a wrapped screen has the title and the bar items of its content, also what that changes later")
      func content() throws {
        let resource = AsyncResource<String> { nil }
        let screen = AsyncViewController(resource, pacer: nil) { _ in Articles() }
        screen.host.start()
        screen.loadViewIfNeeded()
        let item = screen.navigationItem
        #expect(item.title == nil)
        resource.data.value = "a"
        let articles = try #require(screen.children.first as? Articles)
        #expect(item.title == "Articles" && screen.title == "Articles")
        #expect(item.rightBarButtonItems == [articles.edit])
        articles.navigationItem.rightBarButtonItem = UIBarButtonItem(named: "Done")
        articles.tabBarItem.badgeValue = "3"
        articles.title = "Edit Articles"
        articles.navigationItem.title = "Edit Articles"
        #expect(item.rightBarButtonItems?.map(\.title) == ["Done"])
        #expect(item.title == "Edit Articles" && screen.tabBarItem.badgeValue == "3")
        resource.forget()
        #expect(item.title == nil && item.rightBarButtonItems == nil)
        // One that is not displayed any more changes nothing.
        articles.navigationItem.title = "Late"
        #expect(item.title == nil)
      }

      @Test(
        "15.9 what the child leaves out is that of the screen itself, also what the app changes while one is displayed")
      func ownItems() {
        let close = UIBarButtonItem(named: "Close")
        let pages = [Articles(), UIViewController()]
        let screen = StateViewController(initialState: 1) { [pages[$0]] }
        screen.title = "News"
        screen.loadViewIfNeeded()
        let item = screen.navigationItem
        for state in [1, 0] { screen.setNeedsTransition(to: state, animated: false) }
        #expect(item.title == "Articles" && screen.title == "Articles")
        pages[0].tabBarItem.badgeValue = "3"
        #expect(screen.tabBarItem.badgeValue == "3")
        item.leftBarButtonItem = close
        screen.setNeedsTransition(to: 1, animated: false)
        #expect(screen.title == "News" && item.title == "News" && screen.tabBarItem.badgeValue == nil)
        #expect(item.leftBarButtonItems == [close] && item.rightBarButtonItems == nil)
        // Another title of its own counts from then on.
        screen.title = "Today"
        for state in [0, 1] { screen.setNeedsTransition(to: state, animated: false) }
        #expect(item.title == "Today" && item.leftBarButtonItems == [close])
      }

      @Test("15.9 items are passed on through containers in containers, and end with a child that is given up")
      func nesting() {
        let articles = Articles()
        articles.hidesBottomBarWhenPushed = true
        let inner = StateViewController(initialState: 0) { _ in [articles] }
        let outer = StateViewController(initialState: 0) { _ in [inner] }
        for screen in [inner, outer] { screen.setNeedsTransition(to: 0, animated: false) }
        outer.loadViewIfNeeded()
        #expect(outer.navigationItem.title == "Articles" && outer.hidesBottomBarWhenPushed)
        articles.navigationItem.prompt = "Three new ones"
        articles.toolbarItems = [UIBarButtonItem(named: "Filter")]
        #expect(outer.navigationItem.prompt == "Three new ones" && outer.toolbarItems?.map(\.title) == ["Filter"])
        inner.giveUp(articles)
        #expect(outer.navigationItem.title == nil && outer.navigationItem.prompt == nil)
        #expect(outer.toolbarItems == nil && !outer.hidesBottomBarWhenPushed)
      }
    }
  }
#endif
