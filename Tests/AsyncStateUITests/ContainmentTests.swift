// SPDX-License-Identifier: MIT

#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import AsyncState
  import AsyncStateUI
  import Testing
  #if canImport(UIKit)
    import UIKit
  #else
    import AppKit
  #endif

  extension ToolkitTests {
    /// A container in no window: whose child each controller is, and the order of the views.
    @MainActor
    struct ContainmentTests {
      private let leaves = [Leaf("0"), Leaf("1"), Leaf("2")]

      /// The bits of a state say which leaves it has.
      private func makeScreen(_ initialState: Int = 0) -> StateViewController<Int> {
        StateViewController(initialState: initialState) { [leaves] state in
          leaves.enumerated().filter { state & (1 << $0.offset) != 0 }.map(\.element)
        }
      }

      @Test("15.1 a container in no window exchanges its children and keeps their order")
      func containment() {
        let screen = StateViewController(initialState: [0]) { [leaves] state in state.map { leaves[$0] } }
        screen.setNeedsTransition(to: [0, 1], animated: false)
        #expect(screen.children == [leaves[0], leaves[1]])
        screen.loadViewIfNeeded()
        #expect(screen.view.subviews == [leaves[0].view, leaves[1].view])
        screen.setNeedsTransition(to: [2, 1], animated: true)
        #expect(screen.view.subviews == [leaves[2].view, leaves[1].view])
        #expect(leaves[0].parent == nil && leaves[0].view.superview == nil)
        screen.setNeedsTransition(to: [1, 2], animated: false)
        #expect(screen.view.subviews == [leaves[1].view, leaves[2].view])
      }

      @Test("5.14 children of a screen whose view is not loaded are not loaded, and displayed when it is")
      func notLoaded() {
        let screen = makeScreen(1)
        screen.setNeedsTransition(to: 2, animated: true)
        #expect(screen.children == [leaves[1]])
        #expect(!screen.isViewLoaded && leaves.allSatisfy { !$0.isViewLoaded })
        screen.loadViewIfNeeded()
        #expect(screen.view.subviews == [leaves[1].view] && !leaves[0].isViewLoaded)
      }

      @Test("5.6 subviews of the app stay in front of the children")
      func ownSubviews() {
        let screen = makeScreen()
        let badge = ToolkitView(frame: .zero)
        screen.view.addSubview(badge)
        for state in [1, 3, 2] { screen.setNeedsTransition(to: state, animated: false) }
        #expect(screen.view.subviews == [leaves[1].view, badge])
      }

      @Test("5.6 the view of a child fills that of the container by constraints; an override places it elsewhere")
      func layout() {
        final class Inset: StateViewController<Int> {
          override func layout(_ child: ViewController) { child.view.frame = CGRect(x: 1, y: 2, width: 3, height: 4) }
        }
        let screen = makeScreen()
        screen.loadViewIfNeeded()
        screen.setNeedsTransition(to: 1, animated: false)
        #expect(!leaves[0].view.translatesAutoresizingMaskIntoConstraints)
        screen.setNeedsTransition(to: 0, animated: false)
        // It is given back as it was.
        #expect(leaves[0].view.translatesAutoresizingMaskIntoConstraints)
        let inset = Inset(initialState: 0) { [leaves] _ in [leaves[0]] }
        inset.loadViewIfNeeded()
        inset.setNeedsTransition(to: 0, animated: false)
        #expect(leaves[0].view.frame == CGRect(x: 1, y: 2, width: 3, height: 4))
        #expect(leaves[0].view.translatesAutoresizingMaskIntoConstraints)
      }

      @Test("15.1 a child that was added by hand is added once when it is listed")
      func addedByHand() {
        let screen = makeScreen()
        screen.take(leaves[0])
        screen.setNeedsTransition(to: 1, animated: false)
        #expect(screen.children == [leaves[0]])
        #expect(screen.view.subviews == [leaves[0].view])
        screen.setNeedsTransition(to: 0, animated: false)
        #expect(screen.children == [])
      }

      @Test("15.1 a child that another parent has taken is left alone until it is listed again")
      func takenChild() {
        let (screen, other) = (makeScreen(1), Leaf())
        screen.setNeedsTransition(to: 1, animated: false)
        screen.loadViewIfNeeded()
        leaves[0].view.removeFromSuperview()
        other.take(leaves[0])
        screen.setNeedsTransition(to: 0, animated: false)
        #expect(leaves[0].parent === other && leaves[0].view.superview === other.view)
        screen.setNeedsTransition(to: 1, animated: false)
        #expect(leaves[0].parent === screen && leaves[0].view.superview === screen.view)
        #expect(other.children == [] && screen.children == [leaves[0]])
      }

      @Test("15.1 a child that another container lists is that one's, and the former one's again when it lists it anew")
      func takenByContainer() {
        let containers = [makeScreen(), makeScreen()]
        for container in containers { container.loadViewIfNeeded() }
        for number in [0, 1, 0] {
          containers[number].setNeedsTransition(to: 1, animated: true)
          #expect(leaves[0].parent === containers[number])
          #expect(containers[number].view.subviews == [leaves[0].view])
          #expect(containers[1 - number].children == [] && containers[1 - number].view.subviews == [])
        }
      }

      @Test("5.8 of two requests in a hook the last one wins")
      func requestsInHook() {
        final class Eager: StateViewController<Int> {
          var states: [Int] = []
          override func willTransition(to state: Int, animated: Bool) { states.append(state) }
          override func didTransition(from former: Int?, animated: Bool) {
            guard former == nil else { return }
            setNeedsTransition(to: 1, animated: false)
            setNeedsTransition(to: 2, animated: false)
          }
        }
        let screen = Eager(initialState: 0)
        screen.setNeedsTransition(to: 0, animated: false)
        #expect(screen.states == [0, 2])
      }

      @Test(
        "15.1 the size for a window or a sheet is that of the topmost child; one without an opinion changes nothing")
      func preferredSize() {
        let screen = makeScreen()
        screen.loadViewIfNeeded()
        leaves[0].preferredContentSize = CGSize(width: 100, height: 50)
        screen.setNeedsTransition(to: 1, animated: false)
        #expect(screen.preferredContentSize == CGSize(width: 100, height: 50))
        screen.setNeedsTransition(to: 3, animated: false)
        #expect(screen.preferredContentSize == CGSize(width: 100, height: 50))
        leaves[1].preferredContentSize = CGSize(width: 0, height: 70)
        #expect(screen.preferredContentSize == CGSize(width: 0, height: 70))
        leaves[0].preferredContentSize = CGSize(width: 100, height: 90)
        #expect(screen.preferredContentSize == CGSize(width: 0, height: 70))
      }

      #if canImport(UIKit)
        @Test("15.1 a child of a plain parent is taken from it in the documented order, and given up in it")
        func takenFromPlainParent() {
          let (screen, plain) = (makeScreen(), Leaf())
          screen.loadViewIfNeeded()
          plain.take(leaves[0])
          screen.setNeedsTransition(to: 1, animated: true)
          #expect(leaves[0].parent === screen && plain.children == [] && plain.view.subviews == [])
          #expect(leaves[0].calls.suffix(4) == ["x-", "x-!", "x+", "x+!"])
          screen.giveUp(leaves[0])
          #expect(leaves[0].parent == nil && leaves[0].calls.suffix(2) == ["x-", "x-!"])
        }

        @Test("15.1 a plain view is a child, and the same one as long as it is there; the topmost child is known")
        func plainView() {
          let (label, other) = (UILabel(), UILabel())
          let screen = StateViewController(initialState: 0) { $0 == 2 ? [] : [.containing($0 == 0 ? label : other)] }
          screen.loadViewIfNeeded()
          screen.setNeedsTransition(to: 0, animated: false)
          let child = screen.children.first
          #expect(screen.view.subviews == [label] && screen.topChild === child)
          screen.setNeedsTransition(to: 0, animated: true)
          #expect(screen.children.first === child)
          screen.setNeedsTransition(to: 1, animated: false)
          #expect(screen.view.subviews == [other])
          #expect(UIViewController.containing(screen.view) === screen)
        }
      #endif
    }
  }
#endif
