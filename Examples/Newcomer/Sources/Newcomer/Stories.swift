// SPDX-License-Identifier: MIT
// Stories that screens share: one request for a list row and a detail screen, and a like that both display at once.

import AsyncState

struct Story: Equatable, Sendable {
  var title: String
  var likes: Int
}

protocol StoryService: Sendable {
  func story(_ id: Int) async throws -> Story
  func like(_ id: Int) async throws
}

@MainActor
final class StoryScreen {
  let story: AsyncResource<Story>
  private(set) var notice: String?
  private let like: @Sendable () async throws -> Void

  init(_ id: Int, of stories: AsyncFamily<Int, Story>, service: any StoryService) {
    story = Mistake.screenHasItsOwnStory.isMade ? AsyncResource { try await service.story(id) } : stories[id]
    like = { try await service.like(id) }
  }

  func viewDidLoad() { story.start(when: .stale) }

  var line: String { story.value.map { "\($0.title) ♥ \($0.likes)" } ?? "" }

  func tapLike() async {
    if Mistake.likeIsWrittenByHand.isMade { story.data.value?.likes += 1 }
    let outcome = await story.mutate {
      if !Mistake.likeIsWrittenByHand.isMade { $0.likes += 1 }
    } commit: { [like] in
      try await like()
    }
    if case .failure(let error) = outcome { notice = "Not liked: \(error)" }
  }
}
