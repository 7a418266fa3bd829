// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS)
  import UIKit

  /// The parts of a controller that bars display.
  ///
  /// A navigation or tab controller reads them of its direct child, once, so a container takes them from the child that it
  /// displays.
  @MainActor
  struct BarItems: Equatable {
    private var title: String?
    private var navigationTitle: String?
    private var titleView: UIView?
    private var leftItems: [UIBarButtonItem]?
    private var rightItems: [UIBarButtonItem]?
    private var badge: String?
    #if !os(tvOS)
      private var prompt: String?
      private var backTitle: String?
      private var hidesBack = false
      private var largeTitle = UINavigationItem.LargeTitleDisplayMode.automatic
      private var search: UISearchController?
      private var toolbar: [UIBarButtonItem]?
    #endif

    /// Those that a controller has.
    init(of controller: UIViewController) {
      let item = controller.navigationItem
      (title, navigationTitle, titleView) = (controller.title, item.title, item.titleView)
      (leftItems, rightItems) = (item.leftBarButtonItems, item.rightBarButtonItems)
      badge = controller.tabBarItem?.badgeValue
      #if !os(tvOS)
        (prompt, backTitle, hidesBack) = (item.prompt, item.backButtonTitle, item.hidesBackButton)
        (largeTitle, search, toolbar) = (item.largeTitleDisplayMode, item.searchController, controller.toolbarItems)
      #endif
    }

    /// Takes each part in which `present` differs from what was given to the container: the app has changed it.
    mutating func take(_ present: BarItems, differingFrom passed: BarItems) {
      func take<Part: Equatable>(_ part: WritableKeyPath<BarItems, Part>) {
        if present[keyPath: part] != passed[keyPath: part] { self[keyPath: part] = present[keyPath: part] }
      }
      take(\.title)
      take(\.navigationTitle)
      take(\.titleView)
      take(\.leftItems)
      take(\.rightItems)
      take(\.badge)
      #if !os(tvOS)
        take(\.prompt)
        take(\.backTitle)
        take(\.hidesBack)
        take(\.largeTitle)
        take(\.search)
        take(\.toolbar)
      #endif
    }

    /// Those that `child` sets, and of the others these.
    func merged(with child: BarItems?) -> BarItems {
      guard let child else { return self }
      var items = self
      items.title = child.title ?? title
      items.navigationTitle = child.navigationTitle ?? navigationTitle
      items.titleView = child.titleView ?? titleView
      items.leftItems = child.leftItems ?? leftItems
      items.rightItems = child.rightItems ?? rightItems
      items.badge = child.badge ?? badge
      #if !os(tvOS)
        items.prompt = child.prompt ?? prompt
        items.backTitle = child.backTitle ?? backTitle
        items.hidesBack = child.hidesBack || hidesBack
        items.largeTitle = child.largeTitle == .automatic ? largeTitle : child.largeTitle
        items.search = child.search ?? search
        items.toolbar = child.toolbar ?? toolbar
      #endif
      return items
    }

    /// Gives them to a controller. Titles of items follow its own title, so that is first.
    func set(in controller: UIViewController) {
      let item = controller.navigationItem
      if controller.title != title { controller.title = title }
      (item.title, item.titleView) = (navigationTitle, titleView)
      (item.leftBarButtonItems, item.rightBarButtonItems) = (leftItems, rightItems)
      controller.tabBarItem?.badgeValue = badge
      #if !os(tvOS)
        (item.prompt, item.backButtonTitle, item.hidesBackButton) = (prompt, backTitle, hidesBack)
        (item.largeTitleDisplayMode, item.searchController) = (largeTitle, search)
        controller.toolbarItems = toolbar
      #endif
    }
  }

  /// Passes the parts for bars of one child at a time on to its container, as long as it is displayed.
  @MainActor
  final class BarItemsPassage {
    private weak var container: UIViewController?
    private weak var child: UIViewController?
    /// What the container was given by the app, and what it was given here.
    private var own: BarItems
    private var passed: BarItems
    private var observations: [NSKeyValueObservation] = []
    private var isPassing = false

    init(to container: UIViewController) {
      self.container = container
      own = BarItems(of: container)
      passed = own
    }

    /// Passes on the parts of `child` from now on; nil: none.
    func follow(_ next: UIViewController?) {
      guard next !== child else { return }
      child = next
      observations = next.map(observe) ?? []
      pass()
    }

    /// Brings the container up to date, also with what the app has given to it since.
    private func pass() {
      guard let container, !isPassing else { return }
      isPassing = true
      defer { isPassing = false }
      let present = BarItems(of: container)
      own.take(present, differingFrom: passed)
      let next = own.merged(with: child.map { BarItems(of: $0) })
      if next != present { next.set(in: container) }
      passed = next
    }

    private func observe(_ child: UIViewController) -> [NSKeyValueObservation] {
      let pass: @Sendable () -> Void = { [weak self] in
        // Justified: UIKit's objects are changed on the main thread. Noticed: elsewhere the process stops.
        MainActor.assumeIsolated { self?.pass() }
      }
      let item = child.navigationItem
      var observations = [
        child.observe(\.title) { _, _ in pass() }, item.observe(\.title) { _, _ in pass() },
        item.observe(\.titleView) { _, _ in pass() }, item.observe(\.leftBarButtonItems) { _, _ in pass() },
        item.observe(\.rightBarButtonItems) { _, _ in pass() },
      ]
      if let tab = child.tabBarItem { observations.append(tab.observe(\.badgeValue) { _, _ in pass() }) }
      #if !os(tvOS)
        observations += [
          item.observe(\.prompt) { _, _ in pass() }, item.observe(\.backButtonTitle) { _, _ in pass() },
          item.observe(\.hidesBackButton) { _, _ in pass() },
          item.observe(\.largeTitleDisplayMode) { _, _ in pass() },
          item.observe(\.searchController) { _, _ in pass() }, child.observe(\.toolbarItems) { _, _ in pass() },
        ]
      #endif
      return observations
    }
  }
#endif
