// SPDX-License-Identifier: MIT
import AsyncStateLists
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct CellHostTests {
    /// Of which the first letter is the identity.
    struct Model: Identifiable, Equatable, ExpressibleByStringLiteral {
      let text: String
      var id: Character? { text.first }
      init(stringLiteral text: String) { self.text = text }
    }

    final class Cell: TracedChild, ReusableController {
      func configure(with model: Model) { trace.note("configure(\(model.text))") }
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

    private enum Step {
      case configure(Model), willDisplay(animated: Bool), didEndDisplaying(animated: Bool), prepare
      static var willDisplay: Step { .willDisplay(animated: false) }
      static var didEndDisplaying: Step { .didEndDisplaying(animated: false) }
    }

    /// Expects the calls that follow each step, and all flags of the controller's.
    private func expectCalls(
      _ law: Comment, cancelsLoad: Bool = false, _ steps: KeyValuePairs<Step, String>, flags: String = "",
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      var made = 0
      let host = host(cancelsLoad: cancelsLoad) { made += 1 }
      for (step, calls) in steps {
        switch step {
        case .configure(let model): host.configure(with: model)
        case .willDisplay(let animated): host.willDisplay(animated: animated)
        case .didEndDisplaying(let animated): host.didEndDisplaying(animated: animated)
        case .prepare: host.prepareForReuse()
        }
        expectEqual(trace.takeTrace(), calls, "\(law): \(step)", sourceLocation: sourceLocation)
      }
      expectEqual(made, host.controller == nil ? 0 : 1, law, sourceLocation: sourceLocation)
      expectEqual(host.controller?.takeFlags() ?? "", flags, law, sourceLocation: sourceLocation)
    }

    @Test("8.2 the calls of a cell: each display has its pair, each model its end, and the controller is made once")
    func calls() {
      expectCalls(
        "before the first model nothing happens", [.willDisplay: "", .didEndDisplaying: "", .prepare: ""])
      expectCalls(
        "displays give balanced pairs, however they repeat or skip",
        [
          .configure("a"): "c+ c+! configure(a)", .didEndDisplaying: "", .willDisplay: "c.wa c.da",
          .willDisplay(animated: true): "", .didEndDisplaying(animated: true): "c.wd c.dd", .didEndDisplaying: "",
        ], flags: "fftt")
      expectCalls(
        "preparing for reuse ends a display that is still on, once; without a model nothing is displayed",
        [
          .configure("a"): "c+ c+! configure(a)", .willDisplay(animated: true): "c.wa c.da",
          .prepare: "c.wd c.dd prepare",
          .didEndDisplaying: "", .prepare: "", .willDisplay: "", .configure("b"): "configure(b)",
          .willDisplay: "c.wa c.da", .didEndDisplaying: "c.wd c.dd",
        ], flags: "ttffffff")
      expectCalls(
        "another model ends the former one first, also without prepareForReuse; other contents of the same row do not",
        cancelsLoad: true,
        [
          .configure("a"): "c+ c+! configure(a)", .configure("b"): "prepare configure(b)", .willDisplay: "c.wa c.da",
          .configure("c"): "c.wd c.dd cancel prepare configure(c) c.wa c.da", .configure("c"): "configure(c)",
          .configure("c2"): "configure(c2)", .didEndDisplaying: "c.wd c.dd cancel",
        ], flags: "ffffffff")
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

    @Test(
      "1.8, 8.2 a host that is released, also elsewhere, ends the display and detaches, later, on its owner's actor",
      arguments: [false, true])
    func release(isElsewhere: Bool) async {
      var host: CellHost<Cell>? = host(cancelsLoad: true)
      host?.configure(with: "a")
      let controller = host?.controller
      host?.willDisplay(animated: true)
      _ = trace.take()
      for mark in ["c.wd", "c-"] { trace.once(mark) { MainActor.assertIsolated() } }
      let last = Dropped<AnyObject>(host!)
      host = nil
      await trace.reaches("c-!") {
        if isElsewhere { return await last.releaseElsewhere() }
        last.release()
        expectEqual(trace.takeTrace(), "", "the release itself calls nothing")
      }
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
  }
}

extension AllTests {
  struct CellHostReleaseTests {
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
