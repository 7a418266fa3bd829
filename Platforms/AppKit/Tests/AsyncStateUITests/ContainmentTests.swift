import AppKit
import AsyncState
import AsyncStateUI
import Testing

@MainActor
@Suite(.serialized)
struct ContainmentTests {
  final class Leaf: NSViewController {
    let name: String
    var calls: [String] = []
    init(_ name: String) {
      self.name = name
      super.init(nibName: nil, bundle: nil)
    }
    required init?(coder: NSCoder) { nil }
    override func loadView() { view = NSView() }
    override func viewWillAppear() { calls.append("wa") }
    override func viewDidAppear() { calls.append("da") }
    override func viewWillDisappear() { calls.append("wd") }
    override func viewDidDisappear() { calls.append("dd") }
    override var description: String { name }
  }

  private static func children(_ parts: [NSViewController], of state: Int) -> [NSViewController] {
    let listed = parts.enumerated().filter { state & (1 << $0.offset) != 0 }.map(\.element)
    return state % 3 == 0 ? listed.reversed() : listed
  }

  @Test("15.1 two thousand random sequences, two containers deep, keep AppKit's order and leave nothing open")
  func randomSequences() {
    for seed in 0..<2000 {
      StandIn.reset()
      var violations: [String] = []
      StandIn.onViolation = { violations.append($0) }
      defer { StandIn.reset() }
      var generator = Generator(seed: seed)
      let leaves = (0..<6).map { Leaf("\($0)") }
      let inner = StateViewController(initialState: 1, animator: ViewAnimator()) {
        Self.children(Array(leaves[3...]), of: $0)
      }
      let outer = StateViewController(initialState: 1, animator: ViewAnimator()) {
        Self.children(Array(leaves[..<3]) + [inner], of: $0)
      }
      let window = NSWindow()
      window.contentViewController = outer
      for _ in 0..<30 {
        let state = Int.random(in: 0..<16, using: &generator)
        let flag = Bool.random(using: &generator)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0...2: outer.setNeedsTransition(to: state, animated: flag)
        case 3...4: inner.setNeedsTransition(to: state % 8, animated: flag)
        case 5: window.isOrderedOut = flag
        default: StandIn.endAnimation()
        }
      }
      window.isOrderedOut = false
      while !StandIn.animations.isEmpty { StandIn.endAnimation() }
      let shown = Self.children(Array(leaves[..<3]) + [inner], of: outer.container.currentState)
      #expect(outer.view.subviews == shown.map(\.view))
      #expect(Set(outer.children) == Set(shown))
      for leaf in leaves {
        // Each in turn, from the first.
        let turns = ["wa", "da", "wd", "dd"]
        #expect(leaf.calls == leaf.calls.indices.map { turns[$0 % 4] })
      }
      #expect(violations == [])
      #expect(StandIn.audit() == [])
      guard violations.isEmpty, outer.view.subviews == shown.map(\.view) else {
        Issue.record("Seed \(seed)")
        return
      }
    }
  }

  @Test("5.1 hooks and the order of a transition")
  func hooks() {
    final class Screen: StateViewController<Int> {
      var calls: [String] = []
      override func willTransition(to state: Int, animated: Bool) { calls.append("W \(state)") }
      override func didTransition(from former: Int?, animated: Bool) { calls.append("D \(former as Any)") }
    }
    StandIn.reset()
    let (first, second) = (Leaf("first"), Leaf("second"))
    let screen = Screen(initialState: 0) { $0 == 0 ? [first] : [second] }
    let window = NSWindow()
    window.contentViewController = screen
    screen.setNeedsTransition(to: 1, animated: false)
    #expect(screen.calls == ["W 0", "D nil", "W 1", "D Optional(0)"])
    #expect(first.calls == ["wa", "da", "wd", "dd"])
    #expect(second.calls == ["wa", "da"])
    #expect(second.view.autoresizingMask == [.width, .height])
    #expect(screen.children == [second])
  }
}
