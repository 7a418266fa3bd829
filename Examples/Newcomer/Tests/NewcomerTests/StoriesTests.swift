// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

@testable import Newcomer

private struct GatedStories: StoryService {
  let stories = ManualServer<Story>()
  let likes = ManualServer<Void>()
  func story(_ id: Int) async throws -> Story { try await stories.wait() }
  func like(_ id: Int) async throws { try await likes.wait() }
}

@Suite("The shared stories", .timeLimit(.minutes(5)))
@MainActor
struct StoriesTests {
  private let service = GatedStories()
  private let row: StoryScreen
  private let detail: StoryScreen

  init() {
    let service = service
    let stories = AsyncFamily<Int, Story>(options: LoadOptions(clock: ManualClock())) { try await service.story($0) }
    row = StoryScreen(7, of: stories, service: service)
    detail = StoryScreen(7, of: stories, service: service)
  }

  /// The second answer is that of a refresh, and lets the test end if there is a second request.
  private func load() async {
    service.stories.answer(call: 1, with: .success(Story(title: "Storm", likes: 7)))
    service.stories.answer(call: 2, with: .success(Story(title: "Storm", likes: 10)))
    row.viewDidLoad()
    detail.viewDidLoad()
    await row.story.settled()
    await detail.story.settled()
  }

  @Test("a row and a detail screen make one request", .repeated(noticing: .screenHasItsOwnStory))
  func oneRequest() async {
    await load()
    #expect(row.line == "Storm ♥ 7")
    #expect(detail.line == "Storm ♥ 7")
    #expect(service.stories.callCount == 1)
  }

  @Test(
    "both display a like at once, and take it back when it fails",
    .repeated(noticing: .screenHasItsOwnStory, .likeIsWrittenByHand))
  func like() async {
    await load()
    async let tap: Void = detail.tapLike()
    await service.likes.arrived(1)
    #expect(detail.line == "Storm ♥ 8")
    #expect(row.line == "Storm ♥ 8")
    service.likes.answer(call: 1, with: .failure(NoConnection()))
    await tap
    #expect(detail.line == "Storm ♥ 7")
    #expect(row.line == "Storm ♥ 7")
    #expect(detail.notice == "Not liked: no connection")
  }

  @Test("a refresh does not undo a like that is on its way", .repeated(noticing: .likeIsWrittenByHand))
  func refresh() async {
    await load()
    async let tap: Void = detail.tapLike()
    await service.likes.arrived(1)
    await row.story.load()
    #expect(row.line == "Storm ♥ 11")
    service.likes.answer(call: 1, with: .success(()))
    await tap
    #expect(row.line == "Storm ♥ 11")
  }
}
