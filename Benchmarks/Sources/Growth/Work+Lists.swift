// SPDX-License-Identifier: MIT
import AsyncStateLists
import AsyncState

extension Work {
  /// Lists, cells and pools.
  static let lists = [
    Work("item(at:) of n rows in n / 10 sections", 1_000) { n in
      let sections = (0..<(n / 10)).map { ListSection(id: $0, items: Array(0..<10)) }
      let list = ListDataSource<Int, Int>(sections: .constant(sections), dequeue: { $0.row }, configure: { _, _ in })
      return { for index in 0..<n { tally += list.item(at: index) } }
    } byHand: { n in
      let items = Array(0..<n)
      return { for index in 0..<n { tally += items[index] } }
    },
    Work("the first row of n removed, and the change applied", 1_000) { n in
      let items = Input(Array(0..<n))
      let list = ListDataSource<Int, Int>(items: items, dequeue: { $0 }, configure: { _, _ in })
      let token = list.observeChanges { $0.apply() }
      return {
        items.write(Array(1..<n))
        tally += list.count
        token.cancel()
      }
    },
    Work("n rows reversed, and the change applied", 1_000) { n in
      let items = Input(Array(0..<n))
      let list = ListDataSource<Int, Int>(items: items, dequeue: { $0 }, configure: { _, _ in })
      let token = list.observeChanges { $0.apply() }
      return {
        items.write((0..<n).reversed())
        tally += list.count
        token.cancel()
      }
    },
    Work("n observers of a list's changes, made and cancelled", 500) { n in
      let items = Input([1])
      let list = ListDataSource<Int, Int>(items: items, dequeue: { $0 }, configure: { _, _ in })
      return {
        for _ in 0..<n {
          list.observeChanges { $0.apply() }.cancel()
          tally += list.count
        }
      }
    },
    Work("n cells configured, displayed and used again", 500) { n in
      final class Row: ReusableController {
        func configure(with model: Int) {}
        func prepareForReuse() {}
      }
      return {
        for _ in 0..<n {
          let cell = CellHost { Row() }
          for model in 0..<2 {
            cell.configure(with: model)
            cell.willDisplay()
            cell.didEndDisplaying()
            cell.prepareForReuse()
          }
        }
      }
    },
    Work("n calls of a cell, made in a callback", 1_000) { n in
      final class Row: ReusableController {
        var body: () -> Void = {}
        func configure(with model: Int) { if model == 0 { body() } }
        func prepareForReuse() {}
      }
      let row = Row()
      let cell = CellHost { row }
      row.body = { for model in 1...n { cell.configure(with: model) } }
      return {
        cell.configure(with: 0)
        row.body = {}
      }
    },
  ]

  /// Containers.
  static let containers = [
    Work("n children added", 250) { n in
      final class Child: ChildController {}
      let children = (0..<n).map { _ in Child() }
      let container = StateContainer(initialState: 0) { $0 == 0 ? [] : children }
      container.appear(animated: false)
      return { container.setNeedsTransition(to: 1, animated: false) }
    },
    // By 5.11 the delegate gets all children that are left after each one that leaves, which takes n · n for many. A
    // screen has a few.
    // From more than are searched one by one.
    Work("n children replaced by n others", 20) { n in
      final class Child: ChildController {}
      let sides = (0..<2).map { _ in (0..<n).map { _ in Child() } }
      let container = StateContainer(initialState: 0) { sides[$0 % 2] }
      container.appear(animated: false)
      return { for side in 1...100 { container.setNeedsTransition(to: side, animated: false) } }
    },
    Work("n children in another order", 250) { n in
      final class Child: ChildController {}
      let children = (0..<n).map { _ in Child() }
      let container = StateContainer(initialState: 0) { $0 == 0 ? children : children.reversed() }
      container.appear(animated: false)
      return { container.setNeedsTransition(to: 1, animated: false) }
    },
    Work("n transitions, each requested in a callback of the one before", 1_000) { n in
      final class Child: ChildController {
        var body: () -> Void = {}
        func willAppear(animated: Bool) { body() }
      }
      let children = [Child(), Child()]
      let container = StateContainer(initialState: 0) { [children[$0 % 2]] }
      container.appear(animated: false)
      for child in children {
        child.body = {
          let next = container.currentState + 1
          if next <= n { container.setNeedsTransition(to: next, animated: false) }
        }
      }
      return {
        container.setNeedsTransition(to: 1, animated: false)
        for child in children { child.body = {} }
      }
    },
    Work("n life-cycle calls queued in a callback", 1_250) { n in
      final class Child: ChildController {
        var body: () -> Void = {}
        func willAppear(animated: Bool) {
          let body = body
          self.body = {}
          body()
        }
      }
      let child = Child()
      let container = StateContainer(initialState: 0) { _ in [child] }
      child.body = {
        for _ in 0..<(n / 2) {
          container.disappear(animated: false)
          container.appear(animated: false)
        }
      }
      return { container.appear(animated: false) }
    },
  ]
}
