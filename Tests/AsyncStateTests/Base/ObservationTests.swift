// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Observation
import Testing

extension AllTests {
  struct ObservationTests {
    /// Counts the changes of what `read` reads, reading it again after each.
    // Unchecked: Observation wants a Sendable closure, and calls it where the change is made, here the test's own thread.
    final class Tracker: @unchecked Sendable {
      private(set) var changes = 0

      func track(_ read: () -> Void) {
        withObservationTracking(read) { [self] in changes += 1 }
      }

      /// How many changes of what `read` reads are reported while `cause` lasts: none, or one.
      static func changes(of read: () -> Void, by cause: () -> Void) -> Int {
        let tracker = Tracker()
        tracker.track(read)
        cause()
        return tracker.changes
      }
    }

    @Test("1.7 a reader is notified of the next change of the parts that it read, once, after it has taken effect")
    @MainActor func parts() {
      let data = AsyncData<Int>()
      var load: PendingLoad<Int>?
      let rows: [(read: () -> Void, cause: () -> Void, changes: Int)] = [
        ({ _ = data.value }, { for value in 1...2 { data.value = value } }, 1),
        // The data is as loading as before.
        ({ _ = data.isLoading }, { data.invalidate() }, 0),
        ({ _ = data.isStale }, { data.value = 3 }, 1),
        ({ _ = data.snapshot }, { data.invalidate() }, 1),
        ({ _ = data.value }, { load = data.begin() }, 0),
        ({ _ = data.isRunning }, { load?.report(progress: 0.5) }, 0),
        ({ _ = data.snapshot }, { load?.report(progress: 0.25) }, 1),
        ({ _ = data.isRunning }, { load?.succeed(with: 4) }, 1),
      ]
      for (number, row) in rows.enumerated() {
        expectEqual(Tracker.changes(of: row.read, by: row.cause), row.changes, "row \(number)")
      }
    }

    @Test(
      "1.7, 9.1 a reader of a status is notified of what changes it: not of progress, nor of a refresh over a value")
    @MainActor func status() async {
      let gate = ManualServer<Int>()
      let resource = AsyncResource<Int>(
        .value { reporter in
          reporter.report(progress: 0.5)
          return try await gate.wait()
        })
      func answer(_ call: Int) async {
        gate.answer(call: call, with: .success(call))
        await resource.settled()
      }
      let steps: [(what: String, changes: Int, happens: () async -> Void)] = [
        ("a request", 1, { resource.start() }), ("progress", 0, { await gate.arrived(1) }),
        ("an answer", 1, { await answer(1) }), ("a refresh", 0, { resource.refresh() }),
        ("another value", 1, { await answer(2) }), ("a second refresh", 0, { resource.refresh() }),
        ("a reload, which hides the content", 1, { resource.reload() }),
        ("nothing", 1, { resource.data.value = nil }),
        ("an error", 1, { resource.data.error = CancellationError() }), ("a reset", 1, { resource.reset() }),
        ("a refresh without a value", 1, { resource.refresh() }),
      ]
      for step in steps {
        let tracker = Tracker()
        tracker.track { _ = resource.status }
        await step.happens()
        expectEqual(tracker.changes, step.changes, "\(step.what)")
      }
      resource.cancel()
      for call in 3...5 { gate.answer(call: call, with: .success(1)) }
      await resource.settled()
    }

    @Test("1.7 a part that is first read while another part of the same change is reported is the new one already")
    @MainActor func readOfAnotherPart() {
      let data = AsyncData<Int>()
      let added = Tracker()
      let load = data.begin()
      whenReported({ _ = data.isRunning }) {
        added.track { _ = data.value }
        added.track { _ = data.isLoading }
      }
      load.succeed(with: 1)
      expectEqual(added.changes, 0)
      expectEqual(data.value, 1)
    }

    @Test("1.7, 1.9 what a reader writes is newer than the change that it is notified of")
    @MainActor func writeWhileReported() {
      let data = AsyncData<Int>()
      let error = Tracker()
      whenReported({ _ = data.value }) {
        data.error = Failure()
        error.track { _ = data.error }
      }
      data.value = 1
      expect(data.error is Failure)
      expectEqual(data.value, 1)
      expectEqual(error.changes, 0)
      data.value = 2
      expectEqual(error.changes, 1)
    }

    @Test("1.7, 1.5 an observer that a reader adds is called with the new value, once")
    @MainActor func observerAddedWhileReported() {
      let data = AsyncData<Int>()
      let log = Log()
      var tokens: [ObservedToken] = []
      whenReported({ _ = data.value }) {
        tokens.append(data.observed.map(\.value).observe { log($0.map { "\($0)" } ?? "nil") })
      }
      data.value = 1
      expectEqual(log.take(), ["1"])
      data.value = 2
      expectEqual(log.take(), ["2"])
      withExtendedLifetime(tokens) {}
    }

    @Test(
      "1.4, 1.7 a reader that writes each time is called again, and not within its own call; then the observers are")
    @MainActor func readerThatWrites() {
      let data = AsyncData<Int>()
      let log = Log()
      let token = data.observed.map(\.value).observe { log($0.map { "\($0)" } ?? "nil") }
      let reader = WritingReader(data)
      _ = log.take()
      reader.read()
      data.value = -1
      expectEqual(reader.calls, 100)
      expectEqual(reader.deepest, 1)
      expectEqual(data.value, 100)
      expectEqual(log.take().last, "100")
      withExtendedLifetime(token) {}
    }

    @MainActor
    final class WritingReader {
      let data: AsyncData<Int>
      private(set) var calls = 0
      private(set) var deepest = 0
      private var depth = 0

      init(_ data: AsyncData<Int>) { self.data = data }

      func read() { whenReported({ _ = data.value }) { [weak self] in self?.write() } }

      private func write() {
        read()
        depth += 1
        deepest = max(deepest, depth)
        if calls < 100 {
          calls += 1
          data.value = calls
        }
        depth -= 1
      }
    }

    @Test("1.7, 9.3, 20.2 what follows the data has followed it when a reader is notified")
    @MainActor func followers() async {
      let user = AsyncResource<Int> { 1 }
      let posts = AsyncResource<Int>(following: user.data.observed.map(\.value)) { $0 * 10 }
      let detail = AsyncResource(.of(user) { $0 })
      await user.load()
      await posts.load()
      await detail.load()
      expectEqual(posts.value, 10)
      expectEqual(detail.value, 1)
      var seen: [Int?] = []
      whenReported({ _ = user.value }) {
        seen = [user.data.facts.value, posts.data.facts.value, detail.data.facts.value]
      }
      user.forget()
      expectEqual(seen, [nil, nil, nil])
    }

    @Test("1.3, 1.7 of several data that change together a reader of one sees the others as they are now")
    @MainActor func together() async throws {
      let family = AsyncFamily<Int, Int> { $0 }
      let (one, two) = (family[1], family[2])
      await one.load()
      await two.load()
      var seen: [Int?] = []
      whenReported({ _ = two.value }) { seen = [one.data.facts.value, two.data.facts.value] }
      try await family.forgetAll()
      expectEqual(seen, [nil, nil])
    }

    @Test("1.2, 1.7 a reader of what an observer writes is notified within that write, as in an animation of its own")
    @MainActor func nestedWrite() {
      let data = AsyncData<Int>()
      var animation: String?
      var seen: [String?] = []
      whenReported({ _ = data.value }) { seen.append(animation) }
      let token = data.observed.map { $0.error != nil }.observe { hasFailed in
        guard hasFailed else { return }
        animation = "of the error"
        data.value = 2
        animation = nil
      }
      data.error = Failure()
      expectEqual(seen, ["of the error"])
      withExtendedLifetime(token) {}
    }

    @Test("1.7 each property of a container has notifications of its own")
    func container() {
      let stage = Stage()
      let container = stage.container
      let plain = StateContainer(initialState: 0) { _ in [] }
      let rows: [(read: () -> Void, cause: () -> Void, changes: Int)] = [
        ({ _ = container.appearance }, { container.willAppear(animated: false) }, 1),
        ({ _ = container.isTransitioning }, { container.didAppear(animated: false) }, 1),
        ({ _ = container.currentState }, { _ = stage.go(.ready) }, 1),
        ({ _ = container.children }, { _ = stage.go(.failed) }, 1),
        ({ _ = container.hasDeterminedState }, { _ = stage.go(.failed) }, 0),
        ({ _ = container.appearance }, { _ = stage.go(.ready) }, 0),
        ({ _ = container.currentState }, { container.willDisappear(animated: false) }, 0),
        ({ _ = container.children }, { container.didDisappear(animated: false) }, 0),
        ({ _ = plain.hasDeterminedState }, { plain.setNeedsTransition(to: 1, animated: false) }, 1),
        ({ _ = plain.hasDeterminedState }, { plain.setNeedsTransition(to: 2, animated: false) }, 0),
      ]
      for (number, row) in rows.enumerated() {
        expectEqual(Tracker.changes(of: row.read, by: row.cause), row.changes, "row \(number)")
      }
    }
  }
}
