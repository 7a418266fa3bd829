// SPDX-License-Identifier: MIT
import AsyncState
import Testing

extension AllTests {
  /// Random graphs whose observers write, cancel, drop, choose, join and open batches inside their callbacks.
  ///
  /// What the order of nested deliveries leaves open is not compared. What holds in any order is: no observer is called
  /// twice in a row with the same value, none is called after its token was cancelled, and at rest each was called last
  /// with the value that follows from the inputs.
  struct RandomCallbackTests {
    final class World {
      var random: SeededGenerator
      let inputs: [Input<Int>]
      let nodes: [Observed<Int>]
      /// What each node is, computed from the inputs alone.
      let plain: [() -> Int]
      var tokens: [Int: ObservedToken] = [:]
      var nodeOf: [Int: Int] = [:]
      var last: [Int: Int] = [:]
      var faults: [String] = []
      var nextObserver = 0
      /// How much may still be done inside callbacks, so that every write ends.
      var budget = 0

      init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let inputs = (0..<3).map { Input($0) }
        var nodes: [Observed<Int>] = inputs.map { $0 }
        var plain: [() -> Int] = inputs.map { input in { input.current } }
        for _ in 0..<8 {
          let first = Int.random(in: 0..<nodes.count, using: &random)
          let second = Int.random(in: 0..<nodes.count, using: &random)
          let (a, b, c) = (plain[first], plain[second], plain[0])
          let (chosen, other) = (nodes[second], nodes[0])
          switch Int.random(in: 0..<3, using: &random) {
          case 0:
            nodes.append(nodes[first].map { $0 % 3 })
            plain.append { a() % 3 }
          case 1:
            nodes.append(nodes[first].zip(nodes[second]).map { ($0.0 + $0.1) % 7 })
            plain.append { (a() + b()) % 7 }
          default:
            nodes.append(nodes[first].flatMap { $0 % 2 == 0 ? chosen : other })
            plain.append { a() % 2 == 0 ? b() : c() }
          }
        }
        self.random = random
        self.inputs = inputs
        self.nodes = nodes
        self.plain = plain
      }

      func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

      func observe(_ node: Int) {
        let observer = nextObserver
        nextObserver += 1
        nodeOf[observer] = node
        let token = nodes[node].observe { [weak self] in self?.isCalled(observer, with: $0) }
        tokens[observer] = token
      }

      func isCalled(_ observer: Int, with value: Int) {
        if last[observer] == value { faults.append("\(observer) is called twice with \(value)") }
        if last[observer] != nil, tokens[observer] == nil, nodeOf[observer] == nil {
          faults.append("\(observer) is called after its end")
        }
        last[observer] = value
        guard budget > 0 else { return }
        budget -= 1
        act()
      }

      func cancelAny() {
        guard let observer = tokens.keys.sorted().randomElement(using: &random) else { return }
        nodeOf[observer] = nil
        tokens[observer]?.cancel()
        tokens[observer] = nil
      }

      func act() {
        switch pick(8) {
        case 0, 1, 2: inputs[pick(inputs.count)].write(pick(5))
        case 3:
          let writes = (0..<2).map { _ in (pick(inputs.count), pick(5)) }
          batch { for (index, value) in writes { $0.write(value, to: inputs[index]) } }
        case 4: if tokens.count < 12 { observe(pick(nodes.count)) }
        case 5: cancelAny()
        default: _ = nodes[pick(nodes.count)].current
        }
      }
    }

    @Test("7.1 to 7.4 whatever observers do, no one is called twice alike, and all end with the present value")
    func random() {
      for seed in Soak.seeds(100) {
        let world = World(seed: seed)
        for _ in 0..<30 {
          world.budget = 6
          world.act()
          world.budget = 0
          for (observer, node) in world.nodeOf where world.tokens[observer] != nil {
            let expected = world.plain[node]()
            if world.last[observer] != expected {
              world.faults.append("\(observer) ends with \(world.last[observer] ?? -1), not \(expected)")
            }
          }
          for (node, plain) in zip(world.nodes, world.plain) where node.current != plain() {
            world.faults.append("a value is \(node.current), not \(plain())")
          }
          if !world.faults.isEmpty { break }
        }
        #expect(world.faults.isEmpty, "seed \(seed): \(world.faults)")
        world.tokens = [:]
        if !world.faults.isEmpty { return }
      }
    }
  }
}
