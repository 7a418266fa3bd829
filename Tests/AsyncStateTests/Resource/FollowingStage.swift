// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

/// A query, and a catalogue that is searched for it.
@MainActor
final class FollowingStage {
  let clock = ManualClock()
  let query = Input<String?>("a")
  let catalogue = ManualServer<String?>()
}

extension ManualServer<String?> {
  /// The keys that were requested.
  var keys: [String] { arguments() }

  func answer(_ call: Int, _ value: String?) async {
    await answer(arriving: call, with: .success(value))
    await ended(call)
  }
}

/// A suite of tests of resources that follow a query.
@MainActor
protocol FollowingSuite {
  var stage: FollowingStage { get }
}

extension FollowingSuite {
  var clock: ManualClock { stage.clock }
  var query: Input<String?> { stage.query }
  var catalogue: ManualServer<String?> { stage.catalogue }

  func resource(delay: Duration = .zero, previous: PreviousValue = .hidden) -> AsyncResource<String> {
    AsyncResource(following: query, delay: delay, previous: previous, options: LoadOptions(clock: clock)) {
      [catalogue] key in
      try await catalogue.wait(for: key)
    }
  }

  /// A resource that displays A, of the key a.
  func loaded(delay: Duration = .zero, previous: PreviousValue = .hidden) async -> AsyncResource<String> {
    let resource = resource(delay: delay, previous: previous)
    resource.start()
    await catalogue.answer(1, "A")
    await resource.settled()
    return resource
  }

  /// A resource that displays A, with the key b by now.
  func resourceOfFormerKey(delay: Duration = .zero) async -> AsyncResource<String> {
    let resource = await loaded(delay: delay, previous: .untilAnswered)
    query.write("b")
    expectEqual(resource.status, .data("A"))
    return resource
  }
}

extension AsyncOutcome where Success == String? {
  var text: String? { try? get() }
}
