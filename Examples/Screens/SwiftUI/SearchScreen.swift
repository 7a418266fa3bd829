// SPDX-License-Identifier: MIT
// A search field: requests 300 ms after the last key, the latest text wins, former results stay until the new ones are
// there.

import AsyncState
import AsyncStateUI
import SwiftUI

protocol Catalogue: Sendable {
  func entries(matching text: String) async throws -> [String]
}

/// The text and its results. It belongs to the owner of the screen.
@MainActor
final class SearchModel {
  let results: AsyncResource<[String]>
  private let text = Input<String?>(nil)

  init(catalogue: any Catalogue, clock: any Clock<Duration> = ContinuousClock()) {
    results = AsyncResource(
      following: text, delay: .milliseconds(300), previous: .untilAnswered, options: LoadOptions(clock: clock)
    ) { text in
      try await catalogue.entries(matching: text)
    }
  }

  var typed: Binding<String> {
    Binding(get: { self.text.current ?? "" }, set: { self.text.write($0.isEmpty ? nil : $0) })
  }
}

struct SearchScreen: View {
  private let model: SearchModel

  init(model: SearchModel) { self.model = model }

  var body: some View {
    // Nothing typed is idle; nothing found is no data.
    AsyncView(status: model.results, policy: .emptyIsNoData(idle: .idle)) { status, actions in
      switch status {
      case .idle: Text("Type something")
      case .noData: ContentUnavailableView.search(text: model.typed.wrappedValue)
      case .loading, .waiting, .error, .data:
        AsyncStatusView(status, actions: actions) { results in
          List { ForEach(results, id: \.self) { Text($0) } }
        }
      }
    }
    .searchable(text: model.typed)
  }
}
