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
  let post: AsyncData<Post>
  private(set) var notice: String?
  private let service: any LikeService
  private var taps = 0

  init(post: AsyncData<Post>, service: any LikeService) {
    self.post = post
    self.service = service
  }

  var title: String { "♥ \(post.value?.likes ?? 0)" }

  func tap() async {
    taps += 1
    let former = post.value
    let outcome = await post.mutate(lane: Mistake.likesOvertake.isMade ? nil : "likes") {
      $0.likes += 1
    } commit: { [service, taps] in
      try await service.like(number: taps)
    }
    guard case .failure(let error) = outcome else { return }
    notice = "Not liked: \(error)"
    if Mistake.failureRestoresFormerValue.isMade { post.value = former }
  }
}
