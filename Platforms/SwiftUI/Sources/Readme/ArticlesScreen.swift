// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateUI
import SwiftUI

enum Server { static func articles() async throws -> [String] { ["Rain", "Sun"] } }  // Yours.

struct ArticlesScreen: View {
  // Data, together with the operation that loads it.
  @State private var articles = AsyncResource { try await Server.articles() }

  var body: some View {
    AsyncView(articles, policy: .emptyIsNoData()) { articles in
      List { ForEach(articles, id: \.self) { Text($0) } }
    }
  }
}
