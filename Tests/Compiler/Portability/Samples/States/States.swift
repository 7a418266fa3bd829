// SPDX-License-Identifier: MIT
// The views of States.swift, with their states.

struct Counter: View {
  @State private var count = 0
  let title: String
  init(title: String) { self.title = title }
}

struct Clock: View {
  @State private var hours: Int = 0
  let title: String
}

struct Plain: View {
  let title: String
}
