// SPDX-License-Identifier: MIT
import AsyncState

extension Work {
  /// Observed values.
  static let graph = [
    Work("n observers made, called once and cancelled, the first one first", 500) { n in
      let input = Input(0)
      return {
        let tokens = (0..<n).map { _ in input.observe { tally += $0 } }
        input.write(1)
        for token in tokens { token.cancel() }
        input.write(2)
      }
    } byHand: { n in
      {
        var observers: [Int: (Int) -> Void] = [:]
        for key in 0..<n { observers[key] = { tally += $0 } }
        for observer in observers.values { observer(1) }
        for key in 0..<n { observers[key] = nil }
      }
    },
    Work("n observers cancelled, the last one first", 2_000) { n in
      let input = Input(0)
      let tokens = (0..<n).map { _ in input.observe { tally += $0 } }
      return {
        for token in tokens.reversed() { token.cancel() }
        input.write(2)
      }
    },
    Work("a chain of n maps, made, observed, written and released", 500) { n in
      {
        let input = Input(0)
        var last: Observed<Int> = input
        for _ in 0..<n { last = last.map { $0 + 1 } }
        let token = last.observe { tally += $0 }
        input.write(1)
        token.cancel()
      }
    },
    // So many that none of the sizes fits into a cache.
    Work("n maps of one input, observed, one write", 250) { n in
      let input = Input(0)
      let tokens = (0..<n).map { index in input.map { $0 + index }.observe { tally += $0 } }
      return {
        input.write(input.current + 1)
        withExtendedLifetime(tokens) {}
      }
    } byHand: { n in
      let observers = (0..<n).map { index in { (value: Int) in tally += value + index } }
      return { for observer in observers { observer(1) } }
    },
    Work("n inputs zipped to one value, and a batch over all of them", 250) { n in
      {
        let inputs = (0..<n).map { Input($0) }
        var sum: Observed<Int> = inputs[0]
        for input in inputs.dropFirst() { sum = sum.zip(input).map { $0 &+ $1 } }
        let token = sum.observe { tally &+= $0 }
        batch { for input in inputs { $0.write(input.current &+ 1, to: input) } }
        token.cancel()
      }
    } byHand: { n in
      {
        var values = Array(0..<n)
        for index in values.indices { values[index] &+= 1 }
        tally &+= values.reduce(0, &+)
      }
    },
    Work("n inputs zipped with one, each observed, and a batch over all of them", 250) { n in
      {
        let common = Input(0)
        let inputs = (0..<n).map { Input($0) }
        let tokens = inputs.map { $0.zip(common).observe { tally &+= $0 &+ $1 } }
        batch {
          for input in inputs { $0.write(input.current &+ 1, to: input) }
          $0.write(1, to: common)
        }
        withExtendedLifetime(tokens) {}
      }
    },
    Work("a batch over n inputs, all of which an observer writes again", 500) { n in
      let inputs = (0..<n).map { _ in Input(0) }
      var isWriting = false
      let token = inputs[0].observe { value in
        guard isWriting, value == 1 else { return }
        for input in inputs { input.write(2) }
      }
      isWriting = true
      return {
        batch { for input in inputs { $0.write(1, to: input) } }
        token.cancel()
      }
    },
    Work("a batch over n inputs inside another one over the same", 1_000) { n in
      let inputs = (0..<n).map { _ in Input(0) }
      return {
        batch { outer in
          for input in inputs { outer.write(1, to: input) }
          batch { inner in for input in inputs { inner.write(2, to: input) } }
        }
      }
    },
    Work("n writes in the callback of one", 4_000) { n in
      let input = Input(0)
      let token = input.observe { if $0 == 1 { for value in 2...n { input.write(value) } } }
      return {
        input.write(1)
        token.cancel()
      }
    } byHand: { n in
      { for value in 0..<n { tally &+= value } }
    },
    Work("n writes, each in the callback of the one before", 4_000) { n in
      let input = Input(0)
      let token = input.observe { if $0 > 0, $0 < n { input.write($0 + 1) } }
      return {
        input.write(1)
        token.cancel()
      }
    },
    Work("n inputs written by one transform", 250) { n in
      let inputs = (0..<n).map { _ in Input(0) }
      let source = Input(0)
      var tokens = inputs.map { $0.zip(source).observe { tally += $0 + $1 } }
      tokens.append(
        source.map { value in
          for input in inputs { input.write(value) }
          return value
        }.observe { tally += $0 })
      return {
        source.write(1)
        withExtendedLifetime(tokens) {}
      }
    },
    Work("n flatMaps that leave one source for another at one write", 500) { n in
      let (choice, first, second) = (Input(true), Input(1), Input(2))
      let tokens = (0..<n).map { _ in choice.flatMap { $0 ? first : second }.observe { tally += $0 } }
      return {
        choice.write(false)
        withExtendedLifetime(tokens) {}
      }
    },
    Work("n flatMaps that change places between two sources at one write", 500) { n in
      let (choice, first, second) = (Input(0), Input(1), Input(2))
      let tokens = (0..<n).map { index in
        choice.flatMap { ($0 + index) % 2 == 0 ? first : second }.observe { tally += $0 }
      }
      return {
        choice.write(1)
        choice.write(2)
        withExtendedLifetime(tokens) {}
      }
    },
    Work("n streams of values, made and cancelled", 1_000) { n in
      let input = Input(0)
      return {
        let streams = (0..<n).map { _ in input.map { $0 }.values }
        input.write(1)
        withExtendedLifetime(streams) {}
      }
    },
    Work("n streams, each of a flatMap that chooses again", 500) { n in
      let (common, choices) = (Input(0), (0..<n).map { _ in Input(0) })
      let streams = choices.map { $0.flatMap { $0 == 0 ? common.map { $0 } : .constant(1) }.values }
      return {
        for choice in choices { choice.write(1) }
        withExtendedLifetime(streams) {}
      }
    },
    Work("n bindings of one box, made, called and released", 1_000) { n in
      final class Label { var text = 0 }
      let input = Input(0)
      return {
        let box = Box(Label())
        for _ in 0..<n { box.bind(\.text, to: input) }
        input.write(1)
      }
    },
  ]
}
