// SPDX-License-Identifier: MIT
import AsyncState
import Testing

extension AllTests {
  /// Graphs at random, written at random, compared with computing everything anew from the inputs.
  struct RandomGraphTests {
    /// What a node is, written out plainly.
    indirect enum Recipe {
      case input(Int)
      case map(Int, offset: Int, modulus: Int)
      case zip(Int, Int)
      case flatMap(Int, choices: [Int])
    }

    final class Graph {
      var inputs: [Input<Int>] = []
      var recipes: [Recipe] = []
      var nodes: [Observed<Int>] = []
      /// How often each node's transform ran since the last time.
      var runs: [Int] = []
      var tokens: [(node: Int, token: ObservedToken?)] = []
      var received: [(observer: Int, value: Int)] = []

      func add(_ recipe: Recipe) {
        let index = nodes.count
        runs.append(0)
        recipes.append(recipe)
        switch recipe {
        case .input(let value):
          let input = Input(value)
          inputs.append(input)
          nodes.append(input)
        case .map(let source, let offset, let modulus):
          nodes.append(
            nodes[source].map { [unowned self] value in
              runs[index] += 1
              return (value + offset) % modulus
            })
        case .zip(let first, let second):
          nodes.append(
            nodes[first].zip(nodes[second]).map { [unowned self] pair in
              runs[index] += 1
              return pair.0 &+ pair.1
            })
        case .flatMap(let source, let choices):
          let inner = choices.map { nodes[$0] }
          nodes.append(
            nodes[source].flatMap { [unowned self] value in
              runs[index] += 1
              return inner[abs(value) % inner.count]
            })
        }
      }

      /// All values from scratch.
      func recompute() -> [Int] {
        var values: [Int] = []
        var inputs = inputs.makeIterator()
        for recipe in recipes {
          switch recipe {
          case .input: values.append(inputs.next()!.current)
          case .map(let source, let offset, let modulus): values.append((values[source] + offset) % modulus)
          case .zip(let first, let second): values.append(values[first] &+ values[second])
          case .flatMap(let source, let choices):
            values.append(values[choices[abs(values[source]) % choices.count]])
          }
        }
        return values
      }

      func observe(_ node: Int) {
        let observer = tokens.count
        tokens.append((node, nil))
        tokens[observer].token = nodes[node].observe { [unowned self] in received.append((observer, $0)) }
      }
    }

    private func randomGraph(_ random: inout SeededGenerator) -> Graph {
      let graph = Graph()
      for _ in 0..<Int.random(in: 1...4, using: &random) { graph.add(.input(Int.random(in: 0...9, using: &random))) }
      for _ in 0..<Int.random(in: 1...14, using: &random) {
        let node = { (random: inout SeededGenerator) in Int.random(in: 0..<graph.nodes.count, using: &random) }
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1:
          graph.add(
            .map(
              node(&random), offset: Int.random(in: 0...3, using: &random),
              modulus: Int.random(in: 1...5, using: &random)
            ))
        case 2:
          graph.add(.zip(node(&random), node(&random)))
        default:
          let choices = (0..<Int.random(in: 1...3, using: &random)).map { _ in node(&random) }
          graph.add(.flatMap(node(&random), choices: choices))
        }
      }
      return graph
    }

    @Test(
      "7 values are as recomputed, each observer is called exactly when its value changed, each transform runs at most once",
      arguments: 0..<400 as Range<UInt64>)
    func random(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      let graph = randomGraph(&random)
      for _ in 0..<40 {
        let before = graph.recompute()
        let isLive = graph.tokens.map { $0.token != nil }
        graph.received = []
        graph.runs = graph.runs.map { _ in 0 }
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5:
          graph.inputs.randomElement(using: &random)!.write(Int.random(in: 0...9, using: &random))
        case 5, 6:
          let writes = (0..<3).map { _ in
            (graph.inputs.randomElement(using: &random)!, Int.random(in: 0...9, using: &random))
          }
          batch { for (input, value) in writes { $0.write(value, to: input) } }
        case 7:
          let node = Int.random(in: 0..<graph.nodes.count, using: &random)
          graph.observe(node)
          expectEqual(graph.received.map(\.value), [before[node]])
          graph.received = []
        case 8:
          if let index = graph.tokens.indices.randomElement(using: &random) { graph.tokens[index].token = nil }
        default:
          let node = Int.random(in: 0..<graph.nodes.count, using: &random)
          expectEqual(graph.nodes[node].current, before[node], "seed \(seed)")
        }
        let after = graph.recompute()
        let live = graph.tokens.indices.filter {
          graph.tokens[$0].token != nil && isLive.indices.contains($0) && isLive[$0]
        }
        let expected = live.filter { before[graph.tokens[$0].node] != after[graph.tokens[$0].node] }
        // Where inputs never come together there is no order between those who observe them.
        let received = graph.inputs.count == 1 ? graph.received : graph.received.sorted { $0.observer < $1.observer }
        expectEqual(received.map(\.observer), expected, "seed \(seed)")
        expectEqual(received.map(\.value), expected.map { after[graph.tokens[$0].node] }, "seed \(seed)")
        #expect(graph.runs.allSatisfy { $0 <= 1 }, "seed \(seed)")
      }
      let last = graph.recompute()
      expectEqual(graph.nodes.map(\.current), last, "seed \(seed)")
    }
  }
}
