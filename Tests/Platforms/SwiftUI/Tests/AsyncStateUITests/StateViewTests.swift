// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateUI
import SwiftUI
import Testing

/// A view of a container: when the container appears, and what its delegate is notified of.
@MainActor
@Suite(.bothOrders, .unpaced)
struct StateViewTests {
  final class Child: ChildController {}

  final class Delegate: @MainActor StateContainerDelegate {
    var calls: [String] = []
    func container(_ container: StateContainer<Int>, willTransitionTo next: Int, animated: Bool) {
      calls.append("W \(next)\(animated ? " animated" : "")")
    }
    func container(_ container: StateContainer<Int>, didTransitionFrom former: Int?, animated: Bool) {
      calls.append("D \(former as Any)\(animated ? " animated" : "")")
    }
    func container(
      _ container: StateContainer<Int>, childDidDisappear child: any ChildController, animated: Bool
    ) {
      if container.appearance == .gone { calls.append("disappears\(animated ? " animated" : "")") }
    }
  }

  @Test("5.1 a container's delegate is notified of the transitions that its view displays")
  func stateView() {
    let container = StateContainer<Int>(initialState: 1) { _ in [Child()] }
    let delegate = Delegate()
    container.delegate = delegate
    let host = ViewHost { StateView(container) { Text("state \($0)") } }
    #expect(container.appearance == .visible)
    container.setNeedsTransition(to: 2, animated: false)
    host.draw()
    #expect(host.texts == ["state 2"])
    host.redraw()
    host.close()
    #expect(container.appearance == .gone)
    #expect(delegate.calls == ["W 1", "D nil", "W 2", "D Optional(1)", "disappears"])
  }

  @Test("5.17 a container appears with its view once, however often that is drawn")
  func appearsOnce() {
    let container = StateContainer<Int>(initialState: 1) { _ in [] }
    let host = ViewHost { StateView(container) { Text("state \($0)") } }
    host.redraw()
    #expect(host.texts == ["state 1"])
    #expect(container.appearance == .visible)
    host.close()
    #expect(container.appearance == .gone)
    let again = ViewHost { StateView(container) { Text("state \($0)") } }
    #expect(container.appearance == .visible)
    withExtendedLifetime(again) {}
  }

  @Test("5.17 another container in the place of the former appears, and the former one disappears")
  func anotherContainer() {
    let containers = [1, 2].map { state in StateContainer<Int>(initialState: state) { _ in [] } }
    var number = 0
    let host = ViewHost { StateView(containers[number]) { Text("state \($0)") } }
    number = 1
    host.redraw()
    #expect(host.texts == ["state 2"])
    #expect(containers.map(\.appearance) == [.gone, .visible])
    host.close()
    #expect(containers.map(\.appearance) == [.gone, .gone])
  }

  @Test("5.17 a container in two views is visible until both have disappeared, and may appear again")
  func twoViews() {
    let container = StateContainer<Int>(initialState: 1) { _ in [Child()] }
    let delegate = Delegate()
    container.delegate = delegate
    let (first, second) = (
      ViewHost { StateView(container) { Text("first \($0)") } }, ViewHost { StateView(container) { Text("\($0)") } }
    )
    first.close()
    #expect(container.appearance == .visible)
    container.setNeedsTransition(to: 2, animated: false)
    second.draw()
    #expect(second.texts == ["2"])
    second.close()
    #expect(container.appearance == .gone)
    let third = ViewHost { StateView(container) { Text("\($0)") } }
    #expect(container.appearance == .visible)
    third.close()
    #expect(delegate.calls == ["W 1", "D nil", "W 2", "D Optional(1)", "disappears", "disappears"])
  }

  @Test("15.3 a transition is animated if its request says so, as the app animates, and a value beside it is not")
  func animated() {
    let container = StateContainer<Int>(initialState: 1) { _ in [] }
    let host = ViewHost { StateView(container) { Text("state \($0)") } }
    for (state, animated) in [(2, false), (3, true), (4, false)] {
      container.setNeedsTransition(to: state, animated: animated)
      host.draw()
      #expect(host.texts == ["state \(state)"])
      #expect(host.animations.count == (state > 2 ? 1 : 0))
    }
    #expect(host.animations == [.default])
    let styled = ViewHost { StateView(container) { Text("\($0)") }.asyncAnimation(.easeInOut) }
    // Two requests before the next drawing are one change.
    container.setNeedsTransition(to: 5, animated: true)
    container.setNeedsTransition(to: 6, animated: false)
    styled.draw()
    styled.redraw()
    #expect(styled.animations == [.easeInOut])
  }

  @Test("15.3 the first state is displayed at once, whichever request has waited for the view")
  func firstState() {
    let container = StateContainer<Int>(initialState: 1) { _ in [] }
    let host = ViewHost { StateView(container) { Text("state \($0)") } }
    host.draw()
    let late = StateContainer<Int>(initialState: 1) { _ in [] }
    late.setNeedsTransition(to: 2, animated: true)
    let other = ViewHost { StateView(late) { Text("state \($0)") } }
    other.draw()
    #expect(host.animations.isEmpty && other.animations.isEmpty)
    #expect(other.texts == ["state 2"])
  }

  @Test("5.17 a container that moves to another place of the tree stays visible where the new one appears first")
  func moves() {
    let container = StateContainer<Int>(initialState: 1) { _ in [Child()] }
    let delegate = Delegate()
    container.delegate = delegate
    var isLeft = true
    let host = ViewHost {
      if isLeft { AnyView(StateView(container) { Text("left \($0)") }) } else { AnyView(Moved(container: container)) }
    }
    isLeft = false
    host.redraw()
    #expect(host.texts == ["right 1"] && container.appearance == .visible)
    let disappears = IdentityChange.order == .disappearsFirst ? ["disappears"] : []
    #expect(delegate.calls == ["W 1", "D nil"] + disappears)
    host.close()
    #expect(container.appearance == .gone)
  }

  struct Moved: View {
    let container: StateContainer<Int>
    var body: some View { StateView(container) { Text("right \($0)") } }
  }

  @Test("the orders of the stand-in: the new view appears before the former one disappears, or after")
  func orders() {
    var calls: [String] = []
    var id = 1
    let host = ViewHost {
      Text("\(id)").onAppear { [id] in calls.append("appears \(id)") }
        .onDisappear { [id] in calls.append("disappears \(id)") }.id(id)
    }
    id = 2
    host.redraw()
    let change =
      IdentityChange.order == .appearsFirst
      ? ["appears 2", "disappears 1"] : ["disappears 1", "appears 2"]
    #expect(calls == ["appears 1"] + change)
    host.close()
    #expect(calls.last == "disappears 2")
  }
}
