// SPDX-License-Identifier: MIT
import AsyncStateLists
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct LoadingRowTests {
    struct Post: Identifiable, Equatable {
      let id: Int
      var picture: Int
    }

    private enum Step {
      case configure(id: Int, picture: Int), display, hide, prepare, cancel
      /// So many requests have been made.
      case requests(Int)
      /// A request is answered with its picture, or fails; or is when it does not count any more.
      case answer(Int), fail(Int), late(Int)
    }

    /// Expects what a row displays after each step: its picture, `…` while it loads, and that it has failed.
    private func expectRow(
      _ law: Comment, cancelsLoad: Bool = false, _ steps: KeyValuePairs<Step, String>,
      sourceLocation: SourceLocation = #_sourceLocation
    ) async {
      let server = ManualServer<String?>(ignoresCancellation: true)
      let host = CellHost(cancelsLoadWhenHidden: cancelsLoad) {
        LoadingRow { (post: Post) in try await server.wait(for: post.picture) }
      }
      func answer(_ call: Int, _ isSuccess: Bool) async {
        await server.arrived(call)
        let picture = server.arguments(as: Int.self)[call - 1]
        server.answer(call: call, with: isSuccess ? .success("\(picture)") : .failure(Failure()))
        await server.ended(call)
      }
      for (step, expected) in steps {
        switch step {
        case .configure(let id, let picture): host.configure(with: Post(id: id, picture: picture))
        case .display: host.willDisplay()
        case .hide: host.didEndDisplaying()
        case .prepare: host.prepareForReuse()
        case .cancel: host.controller?.resource.cancel()
        case .requests(let count): await server.arrived(count)
        case .answer(let call), .fail(let call):
          if case .fail = step { await answer(call, false) } else { await answer(call, true) }
          await host.controller?.data.loadEnded()
        case .late(let call):
          await answer(call, true)
          await afterReleases()
        }
        let data = host.controller?.data
        let words = [data?.value ?? "-", data?.isRunning == true ? "…" : nil, data?.error.map { _ in "failed" }]
        expectEqual(
          words.compactMap { $0 }.joined(separator: " "), expected, "\(law): \(step)", sourceLocation: sourceLocation)
      }
    }

    @Test(
      "8.2 a row starts its load when it is displayed, once, and again after a failure, or a cancel when it was hidden")
    func displayed() async {
      await expectRow(
        "once",
        [
          .configure(id: 1, picture: 1): "-", .display: "- …", .hide: "- …", .answer(1): "1", .display: "1", .hide: "1",
        ])
      await expectRow(
        "again after a failure",
        [
          .configure(id: 1, picture: 1): "-", .display: "- …", .fail(1): "- failed", .hide: "- failed",
          .display: "- … failed", .answer(2): "1",
        ])
      await expectRow(
        "hidden, it is cancelled, if it says so", cancelsLoad: true,
        [
          .configure(id: 1, picture: 1): "-", .display: "- …", .requests(1): "- …", .hide: "-", .display: "- …",
          .answer(2): "1", .late(1): "1",
        ])
    }

    @Test("8.2 an answer for another model is never displayed; the same row, made again, has its answer")
    func reused() async {
      await expectRow(
        "another model",
        [
          .configure(id: 1, picture: 1): "-", .display: "- …", .requests(1): "- …",
          .configure(id: 2, picture: 2): "- …",
          .requests(2): "- …", .late(1): "- …", .answer(2): "2",
        ])
      await expectRow(
        "another model of a row that was prepared for it",
        [
          .configure(id: 1, picture: 1): "-", .display: "- …", .requests(1): "- …", .prepare: "-",
          .configure(id: 2, picture: 2): "-", .display: "- …", .requests(2): "- …", .late(1): "- …", .answer(2): "2",
        ])
      await expectRow(
        "the same row has its answer, and another one does not",
        [
          .configure(id: 1, picture: 1): "-", .display: "- …", .answer(1): "1", .prepare: "1",
          .configure(id: 1, picture: 1): "1", .display: "1", .prepare: "1", .configure(id: 2, picture: 2): "-",
        ])
      await expectRow(
        "the load of the same row that was cancelled is made again",
        [
          .configure(id: 1, picture: 1): "-", .display: "- …", .requests(1): "- …", .prepare: "-",
          .configure(id: 1, picture: 1): "-", .display: "- …", .answer(2): "1", .late(1): "1",
        ])
    }

    @Test(
      "8.2, 6.6 a paced row holds nothing of another model: neither its value nor its error, nor what is made of it")
    func paced() async {
      let (clock, server) = (ManualClock(), ManualServer<String>())
      let row = LoadingRow<Int, String>(options: LoadOptions(clock: clock)) { try await server.wait(for: $0) }
      let made = AsyncResource(.of(row.resource) { "of \($0)" })
      let (display, madeDisplay) = (
        PacedStatus(row.resource, pacer: DisplayPacer(clock: clock)),
        PacedStatus(made, pacer: DisplayPacer(clock: clock))
      )
      let host = CellHost { row }
      host.configure(with: 1)
      host.willDisplay()
      made.start()
      server.answer(for: 1, with: .success("one"))
      await made.settled()
      expectEqual(display.status, .data("one"))
      expectEqual(madeDisplay.status, .data("of one"))
      host.configure(with: 2)
      expectNil(display.status)
      expectNil(madeDisplay.status)
      server.answer(for: 2, with: .failure(Failure()))
      await row.resource.settled()
      expectEqual(display.status?.kind, .error)
      host.prepareForReuse()
      host.configure(with: 3)
      expectNil(display.status)
      host.willDisplay()
      expectNil(display.status)
      server.answer(for: 3, with: .success("three"))
      await row.resource.settled()
      expectEqual(display.status, .data("three"))
    }

    @Test("8.2 a row whose contents have changed keeps what it displays until that was requested again")
    func changedContents() async {
      await expectRow(
        "displayed: what is requested for contents that are changed meanwhile is never displayed",
        [
          .configure(id: 1, picture: 1): "-", .display: "- …", .answer(1): "1", .configure(id: 1, picture: 2): "1 …",
          .requests(2): "1 …", .configure(id: 1, picture: 3): "1 …", .late(2): "1 …", .answer(3): "3",
        ])
      await expectRow(
        "hidden: it is requested when it is displayed",
        [
          .configure(id: 1, picture: 1): "-", .display: "- …", .answer(1): "1", .hide: "1",
          .configure(id: 1, picture: 2): "1", .display: "1 …", .answer(2): "2",
        ])
      await expectRow(
        "hidden meanwhile, and cancelled", cancelsLoad: true,
        [
          .configure(id: 1, picture: 1): "-", .display: "- …", .answer(1): "1", .configure(id: 1, picture: 2): "1 …",
          .requests(2): "1 …", .hide: "1", .display: "1 …", .answer(3): "2", .late(2): "2",
        ])
      await expectRow(
        "reused meanwhile",
        [
          .configure(id: 1, picture: 1): "-", .display: "- …", .answer(1): "1", .configure(id: 1, picture: 2): "1 …",
          .requests(2): "1 …", .prepare: "1", .configure(id: 1, picture: 2): "1", .display: "1 …", .answer(3): "2",
          .late(2): "2",
        ])
      await expectRow(
        "after a failure",
        [
          .configure(id: 1, picture: 1): "-", .display: "- …", .fail(1): "- failed",
          .configure(id: 1, picture: 2): "- … failed", .answer(2): "2",
        ])
      await expectRow(
        "after a cancel",
        [
          .configure(id: 1, picture: 1): "-", .display: "- …", .requests(1): "- …", .cancel: "-",
          .configure(id: 1, picture: 2): "- …", .answer(2): "2", .late(1): "2",
        ])
    }

    @Test(
      "8.2 the end of the display cancels the load of a row of an actor of its own; the next display starts it again")
    func cancelledOnAnActor() async {
      actor Home {
        let gate = ManualServer<String?>(ignoresCancellation: true)

        func show() async -> [String?] {
          let gate = gate
          let host = CellHost(cancelsLoadWhenHidden: true) {
            LoadingRow(isolation: self) { (model: Int) in try await gate.wait(for: model) }
          }
          host.configure(with: 1)
          host.willDisplay()
          await gate.arrived(1)
          host.didEndDisplaying()
          guard let data = host.controller?.data else { return [] }
          let (isRunningWhenHidden, isIdle) = (data.isRunning, data.snapshot.isIdle)
          host.willDisplay()
          await gate.arrived(2)
          gate.answer(call: 1, with: .success("late"))
          gate.answer(call: 2, with: .success("one"))
          await data.settled()
          return ["\(isRunningWhenHidden)", "\(isIdle)", data.value]
        }
      }
      await expectEqual(Home().show(), ["false", "true", "one"])
    }
  }
}
