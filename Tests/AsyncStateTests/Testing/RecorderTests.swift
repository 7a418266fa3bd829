// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct RecorderTests {
    let recorder = Recorder()

    @Test("14.3 a child of the test's own is wrapped, or written as its type")
    func children() {
      final class Page: ChildController {
        var calls = 0
        func willAppear(animated: Bool) { calls += animated ? 1 : 0 }
      }
      let page = Page()
      let child = recorder.child("my page", wrapping: page)
      expect(recorder.child("my page") === child)
      child.willAppear(animated: true)
      expectEqual(page.calls, 1)
      expectEqual(recorder.take(), "mypage.wa")
      let container = StateContainer(initialState: 1) { _ in [page] }
      recorder.record(container)
      container.willAppear(animated: false)
      expectEqual(recorder.take(), "W(1,f) cwa Page A(Page)")
    }

    @Test("14.3 a comparison returns the first difference, its surroundings, and what each mark means in words")
    func difference() {
      for number in 1...20 { recorder.note("\(number)") }
      let expected = (1...20).map { $0 == 11 ? "x" : "\($0)" }.joined(separator: "\n")
      expectEqual(
        recorder.difference(from: expected),
        """
        The traces differ after 10 words.
        Expected is `x`; it is not recorded from here on.
        Recorded is `11`; it is not expected from here on.
        expected: … 5 6 7 8 9 10 >>x<< 12 13 14 15 16 17 …
        recorded: … 5 6 7 8 9 10 >>11<< 12 13 14 15 16 17 …
        """)
      expectNil(recorder.difference(from: ""))
      recorder.note("a")
      expectEqual(
        recorder.difference(from: "a b"),
        """
        The traces differ after 1 words.
        Expected is `b`; it is not recorded from here on.
        Recorded is the end of the trace.
        expected: a >>b<<
        recorded: a >>end<<
        """)
      for (mark, meaning) in [
        ("I", "the appearance state is requested"), ("W(data,t)", "willTransition to data, animated"),
        ("W(page 1,f)", "willTransition to page 1, not animated"),
        ("D(nil,f)", "the first didTransition, not animated"),
        ("D(loading,f)", "didTransition from loading, not animated"),
        ("K(f(1, 2))", "the children of f(1, 2) are requested"),
        ("list+", "willAttach of the child list"), ("list+!", "didAttach of the child list"),
        ("list-", "willDetach of the child list"), ("list-!", "didDetach of the child list"),
        ("list.wa", "willAppear of the child list"), ("list.da", "didAppear of the child list"),
        ("list.wd", "willDisappear of the child list"), ("list.dd", "didDisappear of the child list"),
        ("cwa list", "the delegate's childWillAppear of list"), ("cda list", "the delegate's childDidAppear of list"),
        ("cwd list", "the delegate's childWillDisappear of list"),
        ("cdd list", "the delegate's childDidDisappear of list"),
        ("A(list,spin)", "the surface with list,spin"), ("A()", "the surface without a child"),
        ("data=3,set", "data is 3,set"),
      ] {
        recorder.note("a")
        let text = recorder.difference(from: "a \(mark)")
        expectEqual(text?.contains("Expected is `\(mark)`, \(meaning); it is not recorded from here on."), true)
      }
      for mark in ["+", "a(b", "I(", "W(1)"] {
        recorder.note("a")
        expectEqual(recorder.difference(from: "a \(mark)")?.contains("Expected is `\(mark)`; it is not"), true)
      }
      for mark in ["a", "cda list", "list+!", "W(1,f)"] { recorder.note(mark) }
      expectEqual(
        recorder.difference(from: "a list+! cda list W(1,f)"),
        """
        The traces differ after 1 words.
        Expected is `list+!`, didAttach of the child list; it is recorded later, as word 4.
        Recorded is `cda list`, the delegate's childDidAppear of list; it is expected later, as word 3.
        expected: a >>list+!<< cda list W(1,f)
        recorded: a >>cda<< list list+! W(1,f)
        """)
    }
  }
}
