// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

@testable import Newcomer

private struct GatedLikes: LikeService {
  let gate = ManualServer<Void>()
  func like(number: Int) async throws { try await gate.wait(for: number) }
}

@Suite("The like button", .timeLimit(.minutes(5)))
@MainActor
struct LikeButtonTests {
  private let service = GatedLikes()
  private let post = AsyncResource<Post>(seed: Post(likes: 7)) { nil }

  @Test("two taps, and the first fails: only the first is taken back", .repeated(noticing: .failureRestoresFormerValue))
  func twoTaps() async {
    let button = LikeButton(post: post, service: service)
    let first = button.tap()
    #expect(button.title == "♥ 8")
    let second = button.tap()
    #expect(button.title == "♥ 9")
    service.gate.answer(for: 1, with: .failure(NoConnection()))
    await first.outcome()
    #expect(button.title == "♥ 8" && button.notice == "Not liked: no connection")
    service.gate.answer(for: 2, with: .success(()))
    await second.outcome()
    #expect(button.title == "♥ 8")
    #expect(!post.data.hasPendingChanges)
  }

  @Test("likes are sent one after another, in order", .repeated())
  func order() async {
    let button = LikeButton(post: post, service: service)
    let taps = (1...3).map { _ in button.tap() }
    for number in 1...3 { service.gate.answer(for: number, with: .success(())) }
    for tap in taps { await tap.outcome() }
    #expect(button.title == "♥ 10")
    #expect(service.gate.arguments() == [1, 2, 3])
  }

  @Test("a like that waits for its turn can be taken back, and is never sent", .repeated(noticing: .likesOvertake))
  func takenBack() async {
    let button = LikeButton(post: post, service: service)
    let first = button.tap()
    let second = button.tap()
    #expect(button.title == "♥ 9")
    await service.gate.arrived(for: 1)
    second.cancel()
    #expect(button.title == "♥ 8")
    service.gate.answer(for: 1, with: .success(()))
    await first.outcome()
    #expect(button.title == "♥ 8")
    #expect(service.gate.arguments() == [1])
  }
}
