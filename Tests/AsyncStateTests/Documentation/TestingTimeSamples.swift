// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  struct TestingTimeSampleTests {
    @Test("each element of a stream is displayed")
    @MainActor
    func element() async {
      let (stream, room) = AsyncStream<[String]>.makeStream()
      let messages = AsyncResource(.live { stream })
      messages.start()
      room.yield(["Hi"])
      await messages.settled()  // The first element is the answer.
      #expect(messages.value == ["Hi"])

      room.yield(["Hi", "Anyone?"])
      for await value in messages.observed.map({ $0.value }).values where value?.count == 2 { break }
      #expect(messages.snapshot.status.kind == .data)
    }

    @Test("a draft is saved five seconds after the last key")
    @MainActor
    func pause() async throws {
      let clock = ManualClock()
      let saving = Task {
        try await clock.sleep(for: .seconds(5))
        return "saved"
      }
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(5))
      #expect(try await saving.value == "saved")
    }
  }
}
