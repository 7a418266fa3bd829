// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateLists
import AsyncStateTesting
@testable import AsyncStateUI
import SwiftUI
import Testing
import UIKit

extension StandInTests {
  /// Views of SwiftUI in lists of UIKit, and controllers of UIKit in SwiftUI.
  @MainActor
  @Suite(.serialized)
  struct HostingTests {
    let gate = ManualServer<String>()
    let window = UIWindow()

    init() {
      StandIn.reset()
      window.makeKeyAndVisible()
    }

    private func settle() {
      while !UIView.pendingAnimations.isEmpty || StandIn.isBusy {
        UIView.pendingAnimations.first?.end()
        StandIn.nextTurn()
      }
    }

    @Test("15.3 a row of SwiftUI in a table requests while it is visible, and shows no answer for a former row")
    func rows() async throws {
      let titles = AsyncFamily<Int, String>(keepUnused: 0) { [gate] id in try await gate.wait(for: id) }
      let table = UITableView()
      table.register(UITableViewCell.self, forCellReuseIdentifier: "row")
      table.visibleCount = 3
      let ids = Input(Array(0..<10))
      let source = ListDataSource<Int, UITableViewCell>(
        items: ids,
        dequeue: { table.dequeueReusableCell(withIdentifier: "row", for: IndexPath(row: $0, section: 0)) },
        configure: { cell, id in
          cell.contentConfiguration = UIHostingConfiguration { AsyncView(titles[id]) { Text($0) } }
        })
      let rows = TableRows(source, in: table)
      let screen = UIViewController()
      screen.view.addSubview(table)
      window.rootViewController = screen
      func texts(_ row: Int) -> [String]? {
        let host = (table.cellForRow(at: IndexPath(row: row, section: 0))?.contentView as? any HostingView)?.host
        host?.draw()
        return host?.texts
      }
      for id in 0..<3 { await gate.arrived(for: id) }
      #expect(texts(0) == ["(progress)"])
      gate.answer(for: 0, with: .success("zero"))
      await titles[0].settled()
      #expect(texts(0) == ["zero"])
      table.scroll(to: 5)
      for id in 5..<8 { await gate.arrived(for: id) }
      // The requests of rows 1 and 2 have ended with their rows.
      for call in [2, 3] { await gate.ended(call) }
      #expect(texts(5) == ["(progress)"])
      for id in 5..<8 {
        gate.answer(for: id, with: .success("row \(id)"))
        await titles[id].settled()
      }
      #expect((5..<8).map { texts($0) } == [["row 5"], ["row 6"], ["row 7"]])
      withExtendedLifetime(rows) {}
    }

    @Observable
    @MainActor
    final class Model {
      var step = 1
    }

    struct Steps: View {
      let model: Model
      let make: (Int) -> UIViewController
      var body: some View { StateControllerView(model.step) { [make($0)] } }
    }

    final class Page: UIViewController {
      let step: Int
      init(_ step: Int) {
        self.step = step
        super.init(nibName: nil, bundle: nil)
      }
      required init?(coder: NSCoder) { nil }
    }

    @Test(
      "15.1 the controllers of a state in SwiftUI are exchanged, animated in withAnimation, and leave with the view")
    func representable() throws {
      let model = Model()
      var made: [Int] = []
      let screen = UIHostingController(
        rootView: Steps(model: model) { step in
          made.append(step)
          return Page(step)
        })
      window.rootViewController = screen
      settle()
      let host = try #require(screen.host)
      let states = try #require(screen.children.first as? StateViewController<Int>)
      func steps() -> [Int] { states.children.compactMap { ($0 as? Page)?.step } }
      #expect(steps() == [1] && made == [1])
      host.redraw()
      #expect(made == [1])
      model.step = 2
      host.draw()
      #expect(UIView.pendingAnimations.isEmpty && steps() == [2])
      withAnimation { model.step = 3 }
      host.draw()
      #expect(!UIView.pendingAnimations.isEmpty && steps() == [2, 3])
      // Back before the animation has ended: what is drawn last is what is displayed in the end.
      model.step = 4
      host.draw()
      model.step = 3
      host.draw()
      settle()
      #expect(steps() == [3])
      #expect(StandIn.audit() == [])
      window.rootViewController = UIViewController()
      settle()
      #expect(states.parent == nil && states.container.appearance == .gone)
      #expect(StandIn.audit() == [])
    }

    @Test("13.6 a journal is displayed as its page, which is made once")
    func journal() throws {
      StandIn.reset()
      let page = Page(0)
      try expectOnePage(in: page)
    }
  }
}
