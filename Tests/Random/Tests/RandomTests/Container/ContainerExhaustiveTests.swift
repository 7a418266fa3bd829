// SPDX-License-Identifier: MIT
@testable import AsyncState
import Testing

extension AllTests {
  /// Not some sequences but all: every one of up to six events, over two states that share a child.
  @ModelActor
  struct ContainerExhaustiveTests {
    /// One state has a plain child of its own, the other one that has a say in its animation.
    static func setup(keepsState: Bool) -> ContainerSetup {
      ContainerSetup(
        cast: [[0, 2], [3, 0]], animator: .held, keepsState: keepsState, durations: [1, 1, 1, 1, 1, 1],
        delays: [0, 0, 0, 0, 0, 0])
    }

    /// Requests, and the ends of the two animations that a transition has at most.
    static let events: [ContainerAction] = {
      var events: [ContainerAction] = [
        .request(0, animated: true), .request(1, animated: true), .request(1, animated: false), .finish(0), .finish(1),
      ]
      // One more makes three times as many sequences: too many for a build that is not optimised.
      #if !DEBUG
        events.append(.request(0, animated: false))
      #endif
      return events
    }()

    @Test(
      "5.16 every sequence of up to six requests, life-cycle calls and animation ends makes the calls of the contract",
      arguments: [true, false])
    func all(keepsState: Bool) async {
      var count = 0
      let reason = await firstFailure(after: [], ContainerModel(Self.setup(keepsState: keepsState)), count: &count)
      #expect(reason == nil)
      // Fewer would mean that something was left out.
      #expect(count == (Self.events.count == 6 ? 24_069 : 7601))
    }

    /// Continues a sequence in every way there is.
    private func firstFailure(
      after commands: [ContainerCommand], _ model: ContainerModel, count: inout Int
    ) async -> String? {
      guard commands.count < 6 else {
        count += 1
        // What holds of a sequence holds of its beginnings, so only whole ones are tried.
        return await disagreement(ContainerComparison.self, model.setup, commands).map { failure in
          "\(failure.reason)\n\(failure.commands)"
        }
      }
      // A life-cycle call that repeats or skips changes nothing; that is a test of its own.
      let calls = LifecycleCall.allCases.filter { ContainerModel.appearance(after: $0, from: model.appearance) != nil }
      for action in Self.events + calls.map({ ContainerAction.call($0, animated: false) }) {
        var next = model
        next.perform(ContainerCommand(action: .now(action)))
        if case .finish = action, next.trace.isEmpty { continue }
        let reason = await firstFailure(after: commands + [.init(action: .now(action))], next, count: &count)
        if let reason { return reason }
      }
      return nil
    }
  }
}
