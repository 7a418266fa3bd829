// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

@testable import Newcomer

private struct GatedLikes: LikeService {
  let gate = Gate<Void>()
  func like(number: Int) async throws { try await gate.wait(for: number) }
}

@Suite("The like button", .timeLimit(.minutes(5)))
@MainActor
struct LikeButtonTests {
  private let service = GatedLikes()
  private let post = AsyncData<Post>(seed: Post(likes: 7))

  /// Waits until that many likes are displayed.
  private func displayed(_ count: Int) async {
    for await likes in post.observed.map({ $0.value?.likes }).values where likes == count { return }
  }

  @Test("two taps, and the first fails: only the first is taken back", .repeated(noticing: .failureRestoresFormerValue))
  func twoTaps() async {
    let button = LikeButton(post: post, service: service)
    async let first: Void = button.tap()
    await service.gate.arrived(for: 1)
    #expect(button.title == "♥ 8")
    async let second: Void = button.tap()
    await displayed(9)
    service.gate.answer(for: 2, with: .success(()))
    service.gate.answer(for: 1, with: .failure(NoConnection()))
    _ = await (first, second)
    #expect(button.title == "♥ 8")
    #expect(button.notice == "Not liked: no connection")
    #expect(!post.hasPendingChanges)
  }

  @Test("likes are sent one after another, in order", .repeated())
  func order() async {
    let button = LikeButton(post: post, service: service)
    let taps = (1...3).map { _ in Task { await button.tap() } }
    for number in 1...3 { service.gate.answer(for: number, with: .success(())) }
    for tap in taps { await tap.value }
    #expect(button.title == "♥ 10")
    #expect(service.gate.arguments() == [1, 2, 3])
  }

  @Test("a like that waits for its turn can be taken back, and is never sent", .repeated(noticing: .likesOvertake))
  func takenBack() async {
    let button = LikeButton(post: post, service: service)
    async let first: Void = button.tap()
    await service.gate.arrived(for: 1)
    let second = Task { await button.tap() }
    await displayed(9)
    second.cancel()
    await second.value
    #expect(button.title == "♥ 8")
    service.gate.answer(for: 1, with: .success(()))
    await first
    #expect(button.title == "♥ 8")
    #expect(service.gate.arguments() == [1])
  }
}
