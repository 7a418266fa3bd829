// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import AsyncStateUI
import Foundation
import SwiftUI
import Testing

@testable import Screens

/// Previews of the real screens, in each state: they display it, and request nothing.
@MainActor
@Suite(.bothOrders, .unpaced)
struct PreviewTests {
  @Test("2.1 a preview of a screen displays its state and stays there, when it appears and when the user pulls")
  func article() async throws {
    let sample = Article(text: "Hello", likes: 3)
    let previews: [(AsyncSnapshot<Article>, [String])] = [
      (.loading, ["(progress)"]),
      (.value(sample), ["Hello", "♥ 3"]),
      (.value(nil), ["There is nothing here yet.", "Try Again"]),
      (.failed(Offline()), ["You are offline.", "Try Again"]),
      (.failed(Offline(), keeping: sample), ["Not updated", "You are offline.", "Try Again", "Hello", "♥ 3"]),
      (.value(sample, isStale: true), ["Hello", "♥ 3"]),
    ]
    for (snapshot, texts) in previews {
      let host = ViewHost { ArticleScreen(article: .preview(snapshot)) }
      #expect(host.texts == texts)
      await host.waitForTasks()
      host.draw()
      #expect(host.texts == texts)
      let pull = try #require(host.refresh())
      await pull.value
      host.draw()
      #expect(host.texts == texts)
    }
  }
}
