// SPDX-License-Identifier: MIT
import AsyncState

/// A batch that writes one input, which has an observer.
final class BatchOverOne: WritingWork {
  var turn = 0
  private let input = Input(0)
  private let token: ObservedToken

  init() {
    let tally = Tally()
    token = input.observe { tally.add($0) }
  }

  func write(_ value: Int) {
    batch { $0.write(value, to: input) }
  }
}

/// A plain write to an input that has an observer.
final class PlainWrite: WritingWork {
  var turn = 0
  private let input = Input(0)
  private let token: ObservedToken

  init() {
    let tally = Tally()
    token = input.observe { tally.add($0) }
  }

  func write(_ value: Int) {
    input.write(value)
  }
}

/// A batch that writes ten inputs, whose sum (28 nodes in all) has an observer.
final class BatchOverTen: WritingWork {
  var turn = 0
  private let inputs: [Input<Int>]
  private let token: ObservedToken

  init() {
    let tally = Tally()
    inputs = (0..<10).map { Input($0) }
    var sum: Observed<Int> = inputs[0]
    for input in inputs.dropFirst() { sum = sum.zip(input).map { $0 &+ $1 } }
    token = sum.observe { tally.add($0) }
  }

  func write(_ value: Int) {
    batch {
      for (index, input) in inputs.enumerated() { $0.write(value &+ index, to: input) }
    }
  }
}

/// Data that is set and reset, whose `isLoading` has an observer or not.
final class LoadingFlag: SynchronousWork {
  private let data = AsyncData<Int>()
  private let token: ObservedToken?

  init(isObserved: Bool) {
    let tally = Tally()
    token = isObserved ? data.observed.map(\.isLoading).observe { tally.add($0 ? 1 : 0) } : nil
  }

  func run(_ count: Int) {
    for turn in 0..<(count / 2) {
      data.value = turn
      data.reset()
    }
  }
}

/// A box with one binding, made and released.
final class ShortBinding: SynchronousWork {
  private final class Label {
    var number = 0
  }

  private let input = Input(0)
  private let label = Label()

  func run(_ count: Int) {
    for _ in 0..<count {
      let box = Box(label)
      box.bind(to: input) { $0.number = $1 }
    }
  }
}

/// A write through a map to a property that is bound by its key path.
final class BoundProperty: WritingWork {
  private final class Label {
    var number = 0
  }

  var turn = 0
  private let input = Input(0)
  private let box = Box(Label())

  init() {
    box.bind(\.number, to: input.map { $0 &+ 1 })
  }

  func write(_ value: Int) {
    input.write(value)
  }
}
