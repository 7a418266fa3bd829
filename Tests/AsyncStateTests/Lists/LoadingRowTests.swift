// SPDX-License-Identifier: MIT
import AsyncStateLists
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct LoadingRowTests {
    let gate = ManualServer<String?>(ignoresCancellation: true)

    private func host(cancels: Bool = false) -> CellHost<LoadingRow<Int, String>> {
      CellHost(cancelsLoadWhenHidden: cancels) { [gate] in LoadingRow { try await gate.wait(for: $0) } }
    }

    @Test("8.2 a row starts its load when it is displayed, once, and again when it is displayed after a failure")
    func displayed() async throws {
      for result in [Result<String?, any Error>.success("one"), .failure(Failure())] {
        let host = host()
        host.configure(with: 1)
        let row = try #require(host.controller)
        expectEqual(row.data.isRunning, false)
        host.willDisplay()
        expectEqual(row.data.isRunning, true)
        gate.answer(for: 1, with: result)
        await ended(row)
        host.didEndDisplaying()
        host.willDisplay()
        expectEqual(row.data.isRunning, row.data.error != nil)
        expectEqual(row.data.value, try? result.get())
      }
      gate.answer(for: 1, with: .success("one"))
    }

    @Test("8.2 the end of the display cancels the load, if it says so; the next display starts it again")
    func hidden() async throws {
      let host = host(cancels: true)
      host.configure(with: 1)
      host.willDisplay()
      await gate.arrived(1)
      host.didEndDisplaying()
      let row = try #require(host.controller)
      #expect(!row.data.isRunning)
      expectNil(row.data.error)
      host.willDisplay()
      await gate.answer(arriving: 2, with: .success("one"))
      await ended(row)
      expectEqual(row.data.value, "one")
      gate.answer(call: 1, with: .success("late"))
      expectEqual(gate.arguments(as: Int.self), [1, 1])

      let patient = self.host()
      patient.configure(with: 2)
      patient.willDisplay()
      patient.didEndDisplaying()
      expectEqual(patient.controller?.data.isRunning, true)
      patient.prepareForReuse()
    }

    @Test("8.2 an answer for another model is never shown, also without prepareForReuse", arguments: [true, false])
    func reused(isPrepared: Bool) async throws {
      let host = host()
      host.configure(with: 1)
      host.willDisplay()
      await gate.arrived(1)
      if isPrepared { host.prepareForReuse() }
      host.configure(with: 2)
      if isPrepared { host.willDisplay() }
      let row = try #require(host.controller)
      var shown: [String] = []
      let token = row.data.observed.map(\.value).observe { shown.append($0 ?? "-") }
      await gate.arrived(2)
      gate.answer(for: 1, with: .success("one"))
      await gate.ended(1)
      gate.answer(for: 2, with: .success("two"))
      await ended(row)
      expectEqual(shown, ["-", "two"])
      expectEqual(row.model, 2)
      withExtendedLifetime(token) {}
    }

    struct Post: Identifiable, Equatable {
      let id: Int
      var picture: Int
    }

    /// A cell that displays a post.
    private func post(cancels: Bool = false) throws -> (
      host: CellHost<LoadingRow<Post, String>>, row: LoadingRow<Post, String>
    ) {
      let host = CellHost(cancelsLoadWhenHidden: cancels) { [gate] in
        LoadingRow<Post, String> { try await gate.wait(for: $0.picture) }
      }
      host.configure(with: Post(id: 1, picture: 1))
      host.willDisplay()
      return (host, try #require(host.controller))
    }

    @Test(
      "8.2 a row whose contents have changed keeps what it displays until that was requested again",
      arguments: [true, false])
    func changedContents(isDisplayed: Bool) async throws {
      let (host, row) = try post()
      gate.answer(for: 1, with: .success("one"))
      await row.resource.settled()
      if !isDisplayed { host.didEndDisplaying() }
      host.configure(with: Post(id: 1, picture: 2))
      #expect(row.data.value == "one" && row.data.isRunning == isDisplayed)
      if !isDisplayed { host.willDisplay() }
      await gate.arrived(2)
      // The second change meanwhile: what is requested for the first one is displayed never.
      host.configure(with: Post(id: 1, picture: 3))
      gate.answer(for: 2, with: .success("two"))
      gate.answer(for: 3, with: .success("three"))
      await row.resource.settled()
      #expect(row.data.value == "three" && gate.arguments(as: Int.self) == [1, 2, 3])
    }

    @Test(
      "8.2 other contents whose request is cancelled with the row are requested when it is displayed again",
      arguments: [true, false])
    func changedAndHidden(isReused: Bool) async throws {
      let (host, row) = try post(cancels: !isReused)
      gate.answer(for: 1, with: .success("one"))
      await row.resource.settled()
      host.configure(with: Post(id: 1, picture: 2))
      await gate.arrived(2)
      host.didEndDisplaying()
      if isReused {
        host.prepareForReuse()
        host.configure(with: Post(id: 1, picture: 2))
      }
      host.willDisplay()
      await gate.arrived(3)
      for call in 2...3 { gate.answer(call: call, with: .success("two")) }
      await row.resource.settled()
      expectEqual(row.data.value, "two")
    }

    @Test(
      "8.2 other contents of a row that is displayed are requested, also after a failure and after a cancel",
      arguments: [true, false])
    func changedAfterTheEnd(hasFailed: Bool) async throws {
      let (host, row) = try post()
      await gate.arrived(1)
      if !hasFailed { row.resource.cancel() }
      gate.answer(for: 1, with: .failure(Failure()))
      await row.resource.settled()
      host.configure(with: Post(id: 1, picture: 2))
      gate.answer(for: 2, with: .success("two"))
      await row.resource.settled()
      #expect(row.data.value == "two" && row.data.error == nil)
    }

    @Test(
      "8.2 the same row, made again, has its answer; its load that was cancelled is made again",
      arguments: [true, false])
    func sameRow(isAnswered: Bool) async throws {
      let host = host()
      host.configure(with: 1)
      host.willDisplay()
      let row = try #require(host.controller)
      if isAnswered {
        gate.answer(for: 1, with: .success("one"))
        await ended(row)
      } else {
        await gate.arrived(1)
      }
      host.prepareForReuse()
      #expect(!row.data.isRunning && row.model == nil)
      host.configure(with: 1)
      host.willDisplay()
      #expect(row.data.value == (isAnswered ? "one" : nil) && row.data.isRunning == !isAnswered)
      host.prepareForReuse()
      host.configure(with: 2)
      expectNil(row.data.value)
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

    private func ended(_ row: LoadingRow<Int, String>) async {
      for await isRunning in row.data.observed.map(\.isRunning).values where !isRunning { return }
    }
  }
}
