// SPDX-License-Identifier: MIT
// A like button: the count changes with the tap, and each like is sent after the one before it.

import AsyncState

struct Post: Equatable, Sendable {
  var likes = 0
}

protocol LikeService: Sendable {
  func like(number: Int) async throws
}

@MainActor
final class LikeButton {
  let post: AsyncResource<Post>
  private let like: AsyncMutation<Int, Void>
  private var taps = 0

  init(post: AsyncResource<Post>, service: any LikeService) {
    self.post = post
    like = AsyncMutation(overlap: .queue, lane: Mistake.likesOvertake.isMade ? { $0 } : nil) { number in
      try await service.like(number: number)
    }.changing({ _ in post }) { post, _ in post.likes += 1 }
  }

  var title: String { "♥ \(post.value?.likes ?? 0)" }
  var notice: String? { like.error.map { "Not liked: \($0)" } }

  @discardableResult
  func tap() -> MutationTask<Void> {
    taps += 1
    let former = post.value
    let task = like.perform(taps)
    if Mistake.failureRestoresFormerValue.isMade {
      Task { if case .failure = await task.outcome() { post.data.value = former } }
    }
    return task
  }
}
