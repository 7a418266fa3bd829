// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  struct ActorCallTests {
    private enum Ambient {
      @TaskLocal static var name = "none"
    }

    @Test("1.8 it is in the actor's queue before the release returns, in the order of the releases, from any task")
    func order() async {
      let executor = HeldExecutor()
      let home = HeldActor(executor)
      let done = Tally()
      for number in 0..<3 {
        for priority in [TaskPriority.high, .background] {
          await Task.detached(priority: priority) {
            Ambient.$name.withValue("caller's") {
              perform(on: home) {
                home.assertIsolated()
                done.note("\(number) \(priority) \(Ambient.name)")
              }
            }
          }.value
        }
        expectEqual(executor.count, 2 * (number + 1))
      }
      expectEqual(done.entries, [])
      executor.runAll()
      let expected = (0..<3).flatMap { ["\($0) \(TaskPriority.high) none", "\($0) \(TaskPriority.background) none"] }
      expectEqual(done.entries, expected)
    }

    @Test("1.8 nothing is carried out inside the release, even where that is the actor")
    @MainActor func notInside() async {
      var isDone = false
      perform(on: MainActor.shared) { isDone = true }
      expect(!isDone)
      await afterReleases()
      expect(isDone)
    }

    @Test("1.8 what only the work holds is released on the actor")
    func heldByTheWork() async {
      final class Held: Sendable {
        let home: HeldActor
        init(_ home: HeldActor) { self.home = home }
        deinit { home.assertIsolated() }
      }
      let executor = HeldExecutor()
      let home = HeldActor(executor)
      weak let released: Held? = {
        let held = Held(home)
        perform(on: home) { withExtendedLifetime(held) {} }
        return held
      }()
      expect(released != nil)
      executor.runAll()
      expectNil(released)
    }
  }
}
