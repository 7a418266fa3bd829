// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct ReporterTests {
    let stage = LoadStage()
    var data: AsyncData<Int> { stage.data }

    @Test("1.3, 3.8 a yielded value is provisional until the load succeeds, and the load hides nothing any more")
    func yields() async {
      data.error = Failure()
      _ = stage.recorder.takeSnapshots()
      await data.load { (reporter: LoadReporter<Int>) in
        try reporter.yield(1)
        try reporter.yield(nil)
        try reporter.yield(2)
        return 3
      }
      expectEqual(
        stage.recorder.takeSnapshots(),
        [
          "- error(failure) refresh", "1 set refresh provisional", "- set refresh provisional",
          "2 set refresh provisional", "3 set",
        ])
    }

    @Test("3.8 a loop that yields ends by itself when the load no longer counts")
    func streamEnds() async {
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      var ended = false
      let load = data.start { (reporter: LoadReporter<Int>) in
        defer { ended = true }
        for await value in stream { try reporter.yield(value) }
        return reporter.current
      }
      continuation.yield(1)
      for await value in data.observed.map(\.value).values where value == 1 { break }
      data.value = 9
      continuation.yield(2)
      await expectEqual(load.outcome().word, "superseded")
      await load.load?.state.task?.value
      expect(ended)
      expectEqual(data.value, 9)
    }

    @Test(
      "3.8 progress is moved into 0...1, and NaN is unknown",
      arguments: [
        (0.5, 0.5), (-1, 0), (2, 1), (.nan, nil), (nil, nil), (.infinity, 1), (-.infinity, 0),
      ] as [(Double?, Double?)])
    func progress(reported: Double?, shown: Double?) async {
      let load = data.start { [stage] (reporter: LoadReporter<Int>) in
        reporter.report(progress: 0.25)
        reporter.report(progress: reported)
        return try await stage.gate.wait()
      }
      await stage.gate.arrived(1)
      expectEqual(data.snapshot.activity?.progress, shown)
      load.cancel()
      expectNil(data.snapshot.activity)
    }

    @Test("3.8 what a reporter says after its operation has ended changes nothing")
    func lateReport() async {
      var kept: LoadReporter<Int>?
      await data.load { (reporter: LoadReporter<Int>) in
        kept = reporter
        return 1
      }
      _ = stage.recorder.takeFlags()
      kept?.report(progress: 1)
      #expect(throws: CancellationError.self) { try kept?.yield(2) }
      expectNil(kept?.current)
      expectEqual(stage.recorder.takeFlags(), "")
    }
  }
}
