// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateUI
import SwiftUI

struct ArticlesScreen: View {
  @State private var articles = AsyncResource { ["Rain", "Sun"] }  // Your request: `try await …`.

  var body: some View {
    AsyncView(articles, policy: .emptyIsNoData()) { articles in
      List { ForEach(articles, id: \.self) { Text($0) } }
    }
  }
}
