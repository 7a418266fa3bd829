// SPDX-License-Identifier: MIT
@testable import AsyncStateLists
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @ModelActor
  struct LifetimeTests {
    @Test("1.6 the watch itself notices what is kept, and does not keep it")
    func notices() {
      final class Kept {}
      var watched = Watched()
      var kept: Kept? = watched(Kept())
      #expect(watched.left == ["Kept"])
      kept = nil
      #expect(watched.left == [])
      _ = kept
    }

    @Test("1.6 data, handles and reporters: after an answer, a failure, a cancel and a release in the middle")
    func loads() async {
      await expectAllGone(6) { watched in
        let clock = ManualClock()
        let data = watched(AsyncData<[Int]>(seed: [0], options: LoadOptions(staleAfter: .seconds(1), clock: clock)))
        let ear = Ear()
        data.delegate = ear
        let token = watched(data.observed.observe { _ in })
        var reporters: [Weak<LoadReporter<[Int]>>] = []
        await data.load { (reporter: LoadReporter<[Int]>) in
          reporters.append(Weak(reporter))
          reporter.report(progress: 0.5)
          try reporter.yield([1])
          return reporter.current
        }
        await data.load(options: LoadOptions(timeout: .seconds(1))) { throw Trouble(number: 1) }
        await data.mutate({ $0.append(2) }, commit: {})
        let cancelled = data.start { [1] }
        _ = cancelled.load.map { watched($0) }
        cancelled.cancel()
        let deaf = ManualServer<[Int]?>(ignoresCancellation: true)
        let guarded = data.start(options: LoadOptions(retry: .exponential(), timeout: .seconds(3))) {
          try await deaf.wait()
        }
        _ = guarded.load.map { watched($0) }
        await deaf.arrived(1)
        let other = watched(AsyncData<[Int]>())
        _ = other.start { [1] }.load.map { watched($0) }
        // The timer ends with the load. Were it cancelled it would go a moment later, elsewhere.
        await clock.advance(by: .seconds(3))
        deaf.answer(call: 1, with: .success([1]))
        await deaf.ended(1)
        await ModelActor.idle()
        #expect(reporters.allSatisfy { $0.object == nil })
        token.cancel()
      }
    }

    @Test("1.6 a load that runs does not keep its data, nor does a caller that waits for its outcome")
    func released() async {
      let gate = ManualServer<Int?>(ignoresCancellation: true)
      var load: LoadTask<Int>?
      await expectAllGone(1) { watched in
        let data = watched(AsyncData<Int>())
        load = data.start { try await gate.wait() }
        await gate.arrived(1)
      }
      guard case .cancelled = await load?.outcome() else { return #expect(Bool(false), "not cancelled") }
      gate.answer(call: 1, with: .success(1))
      await gate.ended(1)
    }

    @Test("1.6 containers, children and animations: at rest, in an animated transition that ends, and cut short")
    func containers() async {
      await expectAllGone(7) { watched in
        let trace = watched(Recorder())
        let animator = watched(HeldAnimator())
        let spin = watched(TracedChild("spin", trace))
        let list = watched(AnimatedChild("List", trace))
        let container = watched(
          StateContainer(initialState: Scene.loading, animator: animator) { $0 == .ready ? [list] : [spin] })
        trace.record(container)
        container.willAppear(animated: false)
        container.didAppear(animated: false)
        container.setNeedsTransition(to: .ready, animated: true)
        let ending = watched(animator.animations[0])
        ending.finish()
        let late = watched(animator.animations[1])
        container.willDisappear(animated: false)
        container.didDisappear(animated: false)
        late.finish()
        animator.animations = []
      }
    }

    @Test("1.6, 6 hosts with a pacer, boards and their content: displayed, held back and answered")
    func hosts() async {
      final class Screen: AsyncContent {
        var board: StatusBoard<Int>?
        var host: AsyncHost<Int>?
        func apply(_ value: Int, animated: Bool) {}
      }
      let clock = ManualClock()
      await expectAllGone(7) { watched in
        let pacer = DisplayPacer(delay: .seconds(1), minimum: .seconds(1), clock: clock)
        let host = watched(
          AsyncHost<Int>(
            pacer: pacer, request: { $0.start($1) { 1 } }, children: { [StatusChild(PacerModel.Status($0))] }))
        _ = watched(host.data)
        _ = watched(host.container)
        host.appear(animated: false)
        host.start()
        await ModelActor.idle()
        host.data.reset()
        await clock.advance(by: .seconds(1))
        host.data.value = 2

        let data = watched(AsyncData<Int>())
        let screen = watched(Screen())
        let board = watched(StatusBoard(content: screen, data: data))
        screen.board = board
        screen.host = watched(AsyncHost(data: data, request: { data, _ in data.value = 1 }))
        screen.host?.presenter = board
        screen.host?.start()
        board.reload()
      }
      #expect(clock.sleeperCount == 0)
    }

    @Test("1.6, 7 inputs, observed values, tokens and boxes: a chain, a diamond, a flat map and bindings")
    func observing() async {
      final class Label { var text = "" }
      await expectAllGone(9) { watched in
        let input = watched(Input(1))
        let left = watched(input.map { $0 + 1 })
        let both = watched(left.zip(input.map { $0 * 2 }))
        let flat = watched(input.flatMap { $0 > 0 ? left : input })
        let token = watched(both.observe { _ in })
        let label = watched(Label())
        let box = watched(Box(label))
        let child = watched(Box(Label()))
        box.bind(\.text, to: flat.map { "\($0)" })
        box.add(child) { _, _ in }
        child.bind(\.text, to: watched(input.map { "\($0)" }))
        input.write(3)
        batch { $0.write(4, to: input) }
        #expect(box.unbox.text == "5")
        token.cancel()
      }
    }

    @Test("1.6, 8 data sources and cells: in use, reused and released")
    func lists() async {
      final class Cell: ReusableController {
        var text = ""
        func configure(with model: Int) { text = "\(model)" }
        func prepareForReuse() {}
      }
      await expectAllGone(5) { watched in
        let items = watched(Input([1, 2]))
        let source = watched(
          ListDataSource<Int, Cell>(
            items: items, dequeue: { _ in Cell() },
            configure: { $0.configure(with: $1) })
        )
        let token = watched(source.observeChanges { _ in })
        _ = watched(source.cell(at: 1))
        items.write([3])
        let host = watched(CellHost { Cell() })
        host.configure(with: 1)
        host.willDisplay()
        host.prepareForReuse()
        token.cancel()
      }
    }
  }
}
