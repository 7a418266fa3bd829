// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateUI
import Testing
import UIKit

/// What bars display of a screen: they read it of the direct child of their controller, once.
extension StandInTests {
  @MainActor
  @Suite(.serialized)
  struct BarItemsTests {
    final class Articles: UIViewController {
      let edit = UIBarButtonItem(title: "Edit")
      override func viewDidLoad() {
        super.viewDidLoad()
        title = "Articles"
        navigationItem.rightBarButtonItem = edit
        toolbarItems = [UIBarButtonItem(title: "Filter")]
      }
    }

    private let window = UIWindow()

    init() {
      StandIn.reset()
      window.makeKeyAndVisible()
    }

    private func settle() {
      while !UIView.pendingAnimations.isEmpty || StandIn.isBusy {
        StandIn.transition?.finish()
        UIView.pendingAnimations.first?.end()
        StandIn.nextTurn()
      }
    }

    @Test("15.9 a wrapped screen has the title and the bar items of its content, also what that changes later")
    func content() throws {
      let resource = AsyncResource<String> { nil }
      let screen = AsyncViewController(resource) { _ in Articles() }
      let navigation = UINavigationController(rootViewController: screen)
      window.rootViewController = navigation
      let bar = navigation.navigationBar
      #expect(bar.topItem?.title == nil)
      resource.data.value = "a"
      settle()
      let articles = try #require(screen.children.first as? Articles)
      #expect(bar.topItem?.title == "Articles" && screen.title == "Articles")
      #expect(bar.topItem?.rightBarButtonItems == [articles.edit])
      #expect(navigation.displayedToolbarItems?.map(\.title) == ["Filter"])
      articles.navigationItem.rightBarButtonItem = UIBarButtonItem(title: "Done")
      articles.tabBarItem.badgeValue = "3"
      articles.title = "Edit Articles"
      #expect(bar.topItem?.rightBarButtonItems?.map(\.title) == ["Done"])
      #expect(bar.topItem?.title == "Edit Articles" && screen.tabBarItem.badgeValue == "3")
      resource.forget()
      settle()
      #expect(bar.topItem?.title == nil && bar.topItem?.rightBarButtonItems == nil)
      // One that is not displayed any more changes nothing.
      articles.title = "Late"
      #expect(bar.topItem?.title == nil)
    }

    @Test("15.9 what the child leaves out is that of the screen itself, also after the child has left")
    func ownItems() {
      let close = UIBarButtonItem(title: "Close")
      let pages = [Articles(), UIViewController()]
      let screen = StateViewController(initialState: 1) { [pages[$0]] }
      screen.title = "News"
      screen.navigationItem.leftBarButtonItem = close
      let navigation = UINavigationController(rootViewController: screen)
      window.rootViewController = navigation
      let bar = navigation.navigationBar
      #expect(bar.topItem?.title == "News" && bar.topItem?.leftBarButtonItems == [close])
      screen.setNeedsTransition(to: 0, animated: false)
      #expect(bar.topItem?.title == "Articles" && bar.topItem?.leftBarButtonItems == [close])
      screen.setNeedsTransition(to: 1, animated: false)
      #expect(bar.topItem?.title == "News" && bar.topItem?.rightBarButtonItems == nil)
      // Another title of its own counts from then on.
      screen.title = "Today"
      screen.setNeedsTransition(to: 0, animated: false)
      screen.setNeedsTransition(to: 1, animated: false)
      #expect(bar.topItem?.title == "Today")
      #expect(StandIn.audit() == [])
    }

    @Test("15.9 what the app changes while a child is displayed is the screen's own from then on, and nothing else")
    func changedMeanwhile() {
      let close = UIBarButtonItem(title: "Close")
      let pages = [Articles(), UIViewController()]
      let screen = StateViewController(initialState: 0) { [pages[$0]] }
      let navigation = UINavigationController(rootViewController: screen)
      window.rootViewController = navigation
      pages[0].tabBarItem.badgeValue = "3"
      screen.navigationItem.leftBarButtonItem = close
      screen.setNeedsTransition(to: 1, animated: false)
      let item = navigation.navigationBar.topItem
      #expect(item?.leftBarButtonItems == [close] && item?.rightBarButtonItems == nil && item?.title == nil)
      #expect(screen.title == nil && screen.toolbarItems == nil && screen.tabBarItem.badgeValue == nil)
      screen.setNeedsTransition(to: 0, animated: false)
      #expect(item?.title == "Articles" && item?.leftBarButtonItems == [close] && screen.tabBarItem.badgeValue == "3")
    }

    @Test("15.9 items are passed on through containers in containers, and end with a child that is given up")
    func nesting() {
      let articles = Articles()
      let inner = StateViewController(initialState: 0) { _ in [articles] }
      let outer = StateViewController(initialState: 0) { _ in [inner] }
      let navigation = UINavigationController(rootViewController: outer)
      window.rootViewController = navigation
      #expect(navigation.navigationBar.topItem?.title == "Articles")
      articles.navigationItem.prompt = "Three new ones"
      #expect(navigation.navigationBar.topItem?.prompt == "Three new ones")
      inner.giveUp(articles)
      #expect(navigation.navigationBar.topItem?.title == nil && navigation.navigationBar.topItem?.prompt == nil)
    }

    @Test("15.9 whether the bar at the bottom is hidden is that of the content where it is there at the push")
    func bottomBar() {
      let child = UIViewController()
      child.hidesBottomBarWhenPushed = true
      let screen = StateViewController(initialState: 0) { _ in [child] }
      screen.setNeedsTransition(to: 0, animated: false)
      let navigation = UINavigationController(rootViewController: UIViewController())
      navigation.pushViewController(screen, animated: false)
      #expect(navigation.isBottomBarHidden)
    }
  }
}
