// SPDX-License-Identifier: MIT
import AsyncState
import Testing

extension AllTests {
  struct BoxTests {
    final class Spinner {
      var isAnimating = false { didSet { writes += 1 } }
      var writes = 0
      var caption = ""
    }
    final class Root { var children: [Spinner] = [] }

    @Test("7.5 unbox is the very object; bind applies the current value at once and each later one")
    func bind() {
      let input = Input(true)
      let caption = Input("a")
      let spinner = Spinner()
      let box = Box(spinner)
      expect(box.unbox === spinner)
      expectEqual(Box(7).unbox, 7)
      box.bind(\.isAnimating, to: input)
      box.bind(to: caption) { spinner, text in spinner.caption = "<\(text)>" }
      expect(box.unbox.isAnimating)
      expectEqual(box.unbox.caption, "<a>")
      input.write(false)
      caption.write("b")
      expect(!box.unbox.isAnimating)
      expectEqual(box.unbox.caption, "<b>")
      expectEqual(box.unbox.writes, 2)
    }

    @Test("7.5 a binding does not keep the object that it is made to, also if it binds the object to what it owns")
    func keepsNobody() {
      final class SelfBound {
        let input = Input(1)
        var shown = 0
      }
      var box: Box? = Box(SelfBound())
      let released = Weak(box?.unbox)
      box?.bind(\.shown, to: box!.unbox.input)
      expectEqual(released.object?.shown, 1)
      box = nil
      expectNil(released.object)
      _ = box
    }

    @Test("7.5 add attaches once, and keeps the child's box and its bindings")
    func add() {
      let input = Input(false)
      let root = Box(Root())
      do {
        let spinner = Box(Spinner())
        spinner.bind(\.isAnimating, to: input)
        root.add(spinner) { $0.children.append($1) }
      }
      expectEqual(root.unbox.children.count, 1)
      input.write(true)
      expect(root.unbox.children[0].isAnimating)
    }

    @Test("7.5 bindings, and what a box keeps, live as long as the box")
    func retain() {
      let input = Input(1)
      var applied: [Int] = []
      var witness: Witness? = Witness()
      let released = Weak(witness)
      let spinner = Spinner()
      var box: Box? = Box(spinner)
      box?.bind(to: input) { _, value in applied.append(value) }
      box?.retain(witness!)
      witness = nil
      expect(released.object != nil)
      input.write(2)
      box = nil
      expectNil(released.object)
      input.write(3)
      expectEqual(applied, [1, 2])
      _ = (box, witness, spinner)
    }
  }
}
