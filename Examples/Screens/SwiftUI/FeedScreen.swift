// SPDX-License-Identifier: MIT
// An endless feed: the next page is requested before its end is reached, and each row loads its picture while it is
// visible.

import AsyncState
import AsyncStateUI
import SwiftUI

struct Post: Identifiable, Equatable, Sendable {
  var id: Int
  var text: String

  init(id: Int, text: String) {
    self.id = id
    self.text = text
  }
}

protocol FeedBackend: Sendable {
  func posts(from start: Int) async throws -> (posts: [Post], next: Int?)
  func picture(of post: Int) async throws -> String
}

/// The feed. It belongs to whoever displays the screen.
@MainActor
final class FeedModel {
  let feed = AsyncData<Paged<Post, Int>>()
  let backend: any FeedBackend

  init(backend: any FeedBackend) { self.backend = backend }

  func load() async {
    guard feed.value == nil else { return }
    await feed.loadFirst { [backend] _ in try await Self.page(from: 0, of: backend) }
  }

  func willDisplay(_ row: Int) async {
    guard feed.value?.wantsNextPage(displaying: row) == true else { return }
    await feed.loadNext { [backend] start in try await Self.page(from: start, of: backend) }
  }

  private static func page(from start: Int, of backend: any FeedBackend) async throws -> Paged<Post, Int>.Page {
    let answer = try await backend.posts(from: start)
    return Paged.Page(items: answer.posts, next: answer.next)
  }
}

struct FeedScreen: View {
  private let model: FeedModel

  init(model: FeedModel) { self.model = model }

  var body: some View {
    AsyncStatusView(
      determineState(model.feed.snapshot, policy: DisplayPolicy(errors: .never)),
      actions: AsyncActions(error: model.feed.error, retry: { Task { await model.load() } })
    ) { pages in
      List {
        ForEach(Array(pages.items.enumerated()), id: \.element.id) { row, post in
          PostRow(post: post, backend: model.backend)
            .task { @MainActor in await model.willDisplay(row) }
        }
      }
    }
    .task { @MainActor in await model.load() }
  }
}

struct PostRow: View {
  let post: Post
  let backend: any FeedBackend
  @State private var picture = AsyncData<String>()

  var body: some View {
    Text("\(post.text) \(picture.value ?? "…")")
      .task(id: post.id) { @MainActor in
        if picture.isStale { await picture.load(.refresh) { try await backend.picture(of: post.id) } }
      }
  }
}
