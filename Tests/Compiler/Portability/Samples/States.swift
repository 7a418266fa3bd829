// SPDX-License-Identifier: MIT
// Initialisers in another file than the states of their views.

extension Counter {
  init(number: Int) {  // expected: does not link with Xcode 27
    title = "\(number)"
  }

  init(_ title: String) { self.init(title: title) }
}

extension Counter {
  init() { self = .init(title: "") }  // expected: does not link with Xcode 27
}

extension Clock {
  init<Zone>(in zone: Zone) { title = "\(zone)" }  // expected: does not link with Xcode 27
}

extension Plain {
  init(number: Int) { title = "\(number)" }
}

struct Here: View {
  @State private var count = 0
}

extension Here {
  init(number: Int) { print(number) }
}
