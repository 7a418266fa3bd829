// SPDX-License-Identifier: MIT
import AsyncStateLists
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct CellHostTests {
    final class Cell: TracedChild, ReusableController {
      func configure(with model: String) { trace.note("configure(\(model))") }
      func prepareForReuse() { trace.note("prepare") }
      func cancelLoad() { trace.note("cancel") }
    }

    let trace = Recorder()

    private func host(cancelsLoad: Bool = false, _ made: @escaping () -> Void = {}) -> CellHost<Cell> {
      CellHost(cancelsLoadWhenHidden: cancelsLoad) { [trace] in
        made()
        return Cell("c", trace)
      }
    }

    @Test("8.2 the controller is made and attached once, at the first model")
    func madeOnce() {
      var made = 0
      let host = host { made += 1 }
      expectNil(host.controller)
      expectEqual(made, 0)
      host.configure(with: "a")
      let controller = host.controller
      host.prepareForReuse()
      host.configure(with: "b")
      expectEqual(made, 1)
      #expect(host.controller === controller)
      expectEqual(trace.takeTrace(), "c+ c+! configure(a) prepare configure(b)")
    }

    @Test("8.2 displays give balanced pairs, however they repeat or skip")
    func pairs() {
      let host = host()
      host.configure(with: "a")
      host.didEndDisplaying()
      host.willDisplay()
      host.willDisplay(animated: true)
      host.didEndDisplaying(animated: true)
      host.didEndDisplaying()
      expectEqual(trace.takeTrace(), "c+ c+! configure(a) c.wa c.da c.wd c.dd")
      expectEqual(host.controller?.takeFlags(), "fftt")
    }

    @Test("8.2 preparing for reuse ends a display that is still on, and notifies the controller once")
    func prepare() {
      let host = host()
      host.configure(with: "a")
      host.willDisplay(animated: true)
      host.prepareForReuse()
      expectEqual(trace.takeTrace(), "c+ c+! configure(a) c.wa c.da c.wd c.dd prepare")
      expectEqual(host.controller?.takeFlags(), "ttff")
      host.didEndDisplaying()
      host.prepareForReuse()
      expectEqual(trace.takeTrace(), "")
      host.configure(with: "b")
      host.willDisplay()
      host.didEndDisplaying()
      expectEqual(trace.takeTrace(), "configure(b) c.wa c.da c.wd c.dd")
      expectEqual(host.controller?.takeFlags(), "ffff")
    }

    @Test("8.2 another model ends the former one first, also without prepareForReuse")
    func anotherModel() {
      let host = host(cancelsLoad: true)
      host.configure(with: "a")
      _ = trace.take()
      host.configure(with: "b")
      expectEqual(trace.takeTrace(), "prepare configure(b)")
      host.willDisplay(animated: true)
      _ = trace.take()
      host.configure(with: "c")
      expectEqual(trace.takeTrace(), "c.wd c.dd cancel prepare configure(c) c.wa c.da")
      host.configure(with: "c")
      expectEqual(trace.takeTrace(), "configure(c)")
    }

    @Test("8.2 a model that cannot be compared is another one; the same object is not")
    func incomparableModels() {
      final class Object {}
      struct Model { var text = "" }
      final class Counting<Model>: ReusableController {
        var ended = 0
        func configure(with model: Model) {}
        func prepareForReuse() { ended += 1 }
      }
      let models = CellHost { Counting<Model>() }
      models.configure(with: Model())
      models.configure(with: Model())
      expectEqual(models.controller?.ended, 1)
      let objects = CellHost { Counting<Object>() }
      let object = Object()
      objects.configure(with: object)
      objects.configure(with: object)
      expectEqual(objects.controller?.ended, 0)
      objects.configure(with: Object())
      expectEqual(objects.controller?.ended, 1)
    }

    struct Post: Identifiable, Equatable, CustomStringConvertible {
      let id: Int
      var likes = 0
      var description: String { "\(id) with \(likes)" }
    }

    final class PostCell: TracedChild, ReusableController {
      func configure(with model: Post) { trace.note("configure(\(model))") }
      func prepareForReuse() { trace.note("prepare") }
    }

    @Test("8.2 a row whose contents have changed is the same row: it is configured again, and nothing of it ends")
    func sameRow() {
      let host = CellHost { [trace] in PostCell("c", trace) }
      host.configure(with: Post(id: 1))
      host.willDisplay()
      _ = trace.take()
      host.configure(with: Post(id: 1, likes: 1))
      expectEqual(trace.takeTrace(), "configure(1 with 1)")
      host.configure(with: Post(id: 2))
      expectEqual(trace.takeTrace(), "c.wd c.dd prepare configure(2 with 0) c.wa c.da")
    }

    @Test("8.2 the end of a display cancels the row's load, if it says so", arguments: [true, false])
    func cancels(isAsked: Bool) {
      let host = host(cancelsLoad: isAsked)
      host.configure(with: "a")
      host.willDisplay()
      _ = trace.take()
      host.didEndDisplaying()
      expectEqual(trace.takeTrace(), "c.wd c.dd" + (isAsked ? " cancel" : ""))
    }

    @Test("8.2 before the first model nothing happens")
    func beforeTheFirst() {
      let host = host()
      host.willDisplay()
      host.didEndDisplaying()
      host.prepareForReuse()
      expectNil(host.controller)
      expectEqual(trace.takeTrace(), "")
    }

    @Test("8.2 without a model nothing is displayed")
    func withoutModel() {
      let host = host()
      host.configure(with: "a")
      host.prepareForReuse()
      _ = trace.take()
      host.willDisplay()
      expectEqual(trace.takeTrace(), "")
    }

    @Test("8.2 a host that is released ends the display and detaches")
    func release() async {
      var host: CellHost<Cell>? = host(cancelsLoad: true)
      host?.configure(with: "a")
      let controller = host?.controller
      host?.willDisplay(animated: true)
      withExtendedLifetime(host) { _ = trace.take() }
      host = nil
      expectEqual(trace.takeTrace(), "")
      await afterReleases()
      expectEqual(trace.takeTrace(), "c.wd c.dd cancel c- c-!")
      expectEqual(controller?.takeFlags(), "ttff")
    }

    @Test("8.2 a call inside a callback is carried out after the current one")
    func inside() {
      let host = host()
      trace.once("configure(a)") { host.willDisplay() }
      trace.once("c.wa") {
        host.didEndDisplaying()
        host.configure(with: "b")
      }
      host.configure(with: "a")
      expectEqual(trace.takeTrace(), "c+ c+! configure(a) c.wa c.da c.wd c.dd prepare configure(b)")
    }

    @Test("8.2 hosts of different controllers are one list of CellDisplay")
    func displays() {
      final class Other: TracedChild, ReusableController {
        func configure(with model: Int) {}
        func prepareForReuse() { trace.note("\(name).prepare") }
      }
      let first = host()
      first.configure(with: "a")
      let second = CellHost { [trace] in Other("o", trace) }
      second.configure(with: 1)
      _ = trace.take()
      let cells: [any CellDisplay] = [first, second]
      for cell in cells {
        cell.willDisplay()
        cell.didEndDisplaying()
        cell.prepareForReuse()
      }
      expectEqual(trace.takeTrace(), "c.wa c.da c.wd c.dd prepare o.wa o.da o.wd o.dd o.prepare")
    }
  }
}

extension AllTests {
  struct CellHostReleaseTests {
    /// Notes on which actor it is called.
    @MainActor final class Row: @MainActor ReusableController {
      private let end: AsyncStream<String>.Continuation
      init(_ end: AsyncStream<String>.Continuation) { self.end = end }
      func configure(with model: Int) {}
      func prepareForReuse() { end.yield("prepare") }
      func willDisappear(animated: Bool) { note("wd") }
      func didDisappear(animated: Bool) { note("dd") }
      func willDetach() { note("-") }
      func didDetach() {
        note("-!")
        end.finish()
      }
      private func note(_ mark: String) {
        MainActor.assertIsolated()
        end.yield(mark)
      }
    }

    @MainActor final class Screen {
      let cell: CellHost<Row>
      init(_ end: AsyncStream<String>.Continuation) {
        cell = CellHost { Row(end) }
        cell.configure(with: 1)
        cell.willDisplay()
      }
    }

    @Test("1.8 the display ends on the owner's actor when the last reference is released elsewhere")
    func elsewhere() async {
      let (stream, end) = AsyncStream<String>.makeStream()
      // The screen is Sendable, being on the main actor; the last reference is dropped off it.
      await { @Sendable @concurrent in _ = await Screen(end) }()
      var marks: [String] = []
      for await mark in stream { marks.append(mark) }
      expectEqual(marks, ["wd", "dd", "-", "-!"])
    }

    @Test("1.8 with no actor known, nothing is called")
    func noActor() {
      let trace = Recorder()
      var host: CellHost<AllTests.CellHostTests.Cell>? = CellHost { AllTests.CellHostTests.Cell("c", trace) }
      host?.configure(with: "a")
      host?.willDisplay()
      withExtendedLifetime(host) { _ = trace.take() }
      host = nil
      expectEqual(trace.takeTrace(), "")
    }

    @Test("1.8 a cell that is a property of its actor does not keep it, and nothing is called after the actor")
    func actorProperty() async {
      actor Home {
        let trace = Recorder()
        var host: CellHost<AllTests.CellHostTests.Cell>?
        func show() {
          host = CellHost { [trace] in AllTests.CellHostTests.Cell("c", trace) }
          host?.configure(with: "a")
          host?.willDisplay()
        }
        func end() async -> String {
          _ = trace.take()
          host = nil
          await afterReleases()
          return trace.take()
        }
      }
      var home: Home? = Home()
      weak let watched = home
      await home?.show()
      await expectEqual(home?.end(), "c.wd c.dd c- c-!")
      await home?.show()
      home = nil
      expectNil(watched)
    }
  }
}
