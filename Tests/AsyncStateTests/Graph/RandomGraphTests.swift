// SPDX-License-Identifier: MIT
import AsyncState
import Testing

extension AllTests {
  /// Graphs at random, compared with computing everything anew from the inputs. In half of the steps observers write, cancel,
  /// drop, join and open batches inside their callbacks; what the order of nested deliveries leaves open is not compared.
  struct RandomGraphTests {
    final class World {
      private var random: SeededGenerator
      private var inputs: [Input<Int>] = []
      private var nodes: [Observed<Int>] = []
      /// What each node is, of the values before it.
      private var plain: [([Int]) -> Int] = []
      /// How often each node's transform ran in this step.
      private var runs: [Int: Int] = [:]
      private var tokens: [Int: ObservedToken] = [:]
      private var nodeOf: [Int: Int] = [:]
      private var last: [Int: Int] = [:]
      /// Who was called in this step.
      private var calls: [Int] = []
      private var observerCount = 0
      /// In the order in which they were registered, which one in whose first call another one joins is after that.
      private var registered: [Int] = []
      /// Whether observers do something in this step.
      private var isNested = false
      /// How much may still be done inside callbacks, so that every write ends.
      private var budget = 0
      var faults: [String] = []

      init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        for _ in 0...pick(4) { addInput() }
        for _ in 0...pick(14) { addDerived() }
      }

      private func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

      private func addInput() {
        let input = Input(pick(10))
        inputs.append(input)
        nodes.append(input)
        plain.append { _ in input.current }
      }

      private func addDerived() {
        let number = nodes.count
        let (first, second, third) = (pick(number), pick(number), pick(number))
        let (offset, modulus) = (pick(4), 1 + pick(5))
        func count<Value>(_ value: Value) -> Value {
          runs[number, default: 0] += 1
          return value
        }
        switch pick(4) {
        case 0, 1:
          nodes.append(nodes[first].map { count(($0 + offset) % modulus) })
          plain.append { ($0[first] + offset) % modulus }
        case 2:
          nodes.append(nodes[first].zip(nodes[second]).map { count($0.0 &+ $0.1) })
          plain.append { $0[first] &+ $0[second] }
        default:
          let inner = [nodes[second], nodes[third]]
          nodes.append(nodes[first].flatMap { count(inner[abs($0) % 2]) })
          plain.append { $0[abs($0[first]) % 2 == 0 ? second : third] }
        }
      }

      private var values: [Int] {
        plain.reduce(into: []) { values, node in
          let value = node(values)
          values.append(value)
        }
      }

      private func observe(_ node: Int) {
        let observer = observerCount
        observerCount += 1
        nodeOf[observer] = node
        tokens[observer] = nodes[node].observe { [weak self] in self?.isCalled(observer, with: $0) }
        registered.append(observer)
      }

      private func isCalled(_ observer: Int, with value: Int) {
        calls.append(observer)
        if last[observer] == value { faults.append("\(observer) is called twice with \(value)") }
        if nodeOf[observer] == nil { faults.append("\(observer) is called after its end") }
        last[observer] = value
        if !isNested, pick(8) == 0 { lookAtAll() }
        guard budget > 0 else { return }
        budget -= 1
        act()
      }

      private func endAny() {
        guard let observer = tokens.keys.sorted().randomElement(using: &random) else { return }
        nodeOf[observer] = nil
        if pick(2) == 0 { tokens[observer]?.cancel() }
        tokens[observer] = nil
      }

      private func act() {
        switch pick(8) {
        case 0, 1, 2: inputs[pick(inputs.count)].write(pick(10))
        case 3:
          let writes = (0..<3).map { _ in (pick(inputs.count), pick(10)) }
          batch { for (index, value) in writes { $0.write(value, to: inputs[index]) } }
        case 4, 5: if tokens.count < 12 { observe(pick(nodes.count)) }
        case 6: endAny()
        default: _ = nodes[pick(nodes.count)].current
        }
      }

      func step() {
        let (before, former) = (values, nodeOf)
        isNested = pick(2) == 0
        (runs, calls, budget) = ([:], [], isNested ? 6 : 0)
        act()
        budget = 0
        let after = values
        for (observer, node) in nodeOf where last[observer] != after[node] {
          faults.append("\(observer) ends with \(last[observer] ?? -1), not \(after[node])")
        }
        if !isNested {
          if runs.values.contains(where: { $0 > 1 }) { faults.append("a transform runs twice: \(runs)") }
          let expected = registered.filter { observer in
            former[observer].map { nodeOf[observer] != nil && before[$0] != after[$0] } ?? false
          }
          // Where inputs never come together there is no order between those who observe them.
          let isOrdered = inputs.count == 1
          let called = calls.filter { former[$0] != nil }
          if isOrdered ? called != expected : called.sorted() != expected.sorted() {
            faults.append("called are \(called), and not \(expected)")
          }
        }
        if pick(3) == 0 { lookAtAll() }
      }

      func lookAtAll() {
        if nodes.map(\.current) != values { faults.append("values are \(nodes.map(\.current)), not \(values)") }
      }

      func end() { (tokens, nodes, plain, inputs) = ([:], [], [], []) }
    }

    @Test(
      "7, 7.1 to 7.4 each is called exactly when its value changed, never twice alike, and ends with the present value; each transform runs at most once"
    )
    func random() {
      for seed in Soak.seeds(300) {
        let world = World(seed: seed)
        for _ in 0..<40 where world.faults.isEmpty { world.step() }
        world.lookAtAll()
        world.end()
        if !world.faults.isEmpty {
          Issue.record("seed \(seed): \(world.faults)")
          return
        }
      }
    }
  }
}
