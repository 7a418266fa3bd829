// SPDX-License-Identifier: MIT
/// A value that is written over and over, each time with another value.
protocol WritingWork: SynchronousWork {
  var turn: Int { get set }

  func write(_ value: Int)
}

extension WritingWork {
  func run(_ count: Int) {
    var value = turn
    for _ in 0..<count {
      value &+= 1
      write(value)
    }
    turn = value
  }
}
