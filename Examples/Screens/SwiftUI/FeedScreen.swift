// SPDX-License-Identifier: MIT
// An endless feed: the last row requests the next page, or says that it could not be loaded, and each row loads its
// picture while it is visible.

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

/// The feed. It belongs to the owner of the screen.
@MainActor
final class FeedModel {
  let feed: AsyncResource<Paged<Post, Int>>
  let backend: any FeedBackend

  init(backend: any FeedBackend) {
    self.backend = backend
    feed = AsyncResource(
      .pages { page in
        let answer = try await backend.posts(from: page.cursor ?? 0)
        return Paged.Page(items: answer.posts, next: answer.next)
      })
  }
}

struct FeedScreen: View {
  private let model: FeedModel
  private let select: @MainActor (Int) -> Void

  init(model: FeedModel, select: @escaping @MainActor (Int) -> Void = { _ in }) {
    self.model = model
    self.select = select
  }

  var body: some View {
    AsyncView(model.feed, policy: DisplayPolicy(errors: .never)) { pages in
      List {
        ForEach(pages.items) { post in
          Button {
            select(post.id)
          } label: {
            PostRow(post: post, backend: model.backend)
          }
        }
        AsyncPageFooter(model.feed)
      }
    }
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
