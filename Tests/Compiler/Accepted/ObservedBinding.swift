// SPDX-License-Identifier: MIT
// A label bound to the value, and a stream for callers that wait.

import AsyncState

@MainActor
final class Label {
  var text = ""
  var isHidden = false
}

@MainActor
final class Header {
  private let user = AsyncData<String>()
  private let greeting = Input("Hello")
  private let label = Box(Label())

  init() {
    label.bind(\.isHidden, to: user.observed.isLoading)
    label.bind(to: greeting.zip(user.observed.map(\.value))) { label, part in
      label.text = "\(part.0), \(part.1 ?? "stranger")"
    }
  }

  func greetTwice() async {
    batch { $0.write("Good morning", to: greeting) }
    greeting.change { $0 += "!" }
    var count = 0
    for await name in user.observed.map(\.value).values {
      greeting.write("Welcome back, \(name ?? "")")
      count += 1
      if count == 2 { break }
    }
  }
}
