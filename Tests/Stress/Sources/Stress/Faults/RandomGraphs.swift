// SPDX-License-Identifier: MIT
import AsyncState

/// Random graphs whose observers write, cancel tokens, drop inputs and steps, add observers and open batches, beside
/// what each value is by plain arithmetic.
func randomGraph(_ seed: UInt64) {
  let graph = RandomGraph(seed)
  graph.run()
  withExtendedLifetime(graph) {}
}

private final class RandomGraph {
  private struct Step {
    let observed: Observed<Int>
    let expected: () -> Int
  }

  /// What an observer has got.
  private final class Log {
    let step: Step
    var values: [Int] = []
    var isCancelled = false
    init(_ step: Step) { self.step = step }
  }

  private let seed: UInt64
  private var state: UInt64
  /// Those that are nil have been dropped: their last value stays.
  private var inputs: [Input<Int>?] = []
  private var numbers: [Int] = []
  private var steps: [Step] = []
  private var tokens: [(token: ObservedToken?, log: Log)] = []
  private var actionsLeft = 0
  private var depth = 0

  init(_ seed: UInt64) {
    self.seed = seed
    state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    for _ in 0..<3 {
      let input = Input(0)
      let index = inputs.count
      inputs.append(input)
      numbers.append(0)
      steps.append(Step(observed: input.map { $0 }) { [unowned self] in numbers[index] })
    }
    for _ in 0..<(2 + random(8)) { steps.append(makeStep()) }
  }

  private func random(_ bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(truncatingIfNeeded: state >> 33) % bound
  }

  private func makeStep() -> Step {
    let (a, b, c) = (steps[random(steps.count)], steps[random(steps.count)], steps[random(steps.count)])
    let modulus = 2 + random(3)
    switch random(4) {
    case 0, 1: return Step(observed: a.observed.map { $0 % modulus }) { a.expected() % modulus }
    case 2:
      return Step(observed: a.observed.zip(b.observed).map { $0.0 * 10 + $0.1 }) { a.expected() * 10 + b.expected() }
    default:
      let (left, right) = (b.observed, c.observed)
      return Step(observed: a.observed.flatMap { $0 % 2 == 0 ? left : right }) {
        a.expected() % 2 == 0 ? b.expected() : c.expected()
      }
    }
  }

  func run() {
    for _ in 0..<(1 + random(5)) { observe() }
    for _ in 0..<30 {
      actionsLeft = random(12)
      act()
      check()
    }
    tokens = []
    inputs = inputs.map { _ in nil }
    check()
  }

  private func observe() {
    let log = Log(steps[random(steps.count)])
    let index = tokens.count
    tokens.append((nil, log))
    let token = log.step.observed.observe { [unowned self] value in
      expect(!log.isCancelled, "seed \(seed): called after the token was cancelled")
      expect(log.values.last != value, "seed \(seed): twice in a row \(value), after \(log.values.dropLast())")
      log.values.append(value)
      guard depth < 20, actionsLeft > 0 else { return }
      depth += 1
      for _ in 0..<random(3) { act() }
      depth -= 1
    }
    tokens[index].token = token
  }

  private func act() {
    actionsLeft -= 1
    switch random(12) {
    case 0..<5: write(random(3), random(6))
    case 5:
      let writes = (0..<3).map { _ in (random(3), random(6)) }
      for (index, number) in writes where inputs[index] != nil { numbers[index] = number }
      batch { batch in
        for (index, number) in writes { if let input = inputs[index] { batch.write(number, to: input) } }
      }
    case 6: observe()
    case 7 where !tokens.isEmpty:
      // Cancelled, or dropped.
      let index = random(tokens.count)
      guard tokens[index].token != nil else { return }
      tokens[index].log.isCancelled = true
      if random(2) == 0 { tokens[index].token?.cancel() }
      tokens[index].token = nil
    case 8 where random(6) == 0: inputs[random(3)] = nil
    case 9: steps.append(makeStep())
    case 10 where steps.count > 3: steps.remove(at: 3 + random(steps.count - 3))
    default:
      let step = steps[random(steps.count)]
      let (got, wanted) = (step.observed.current, step.expected())
      expect(got == wanted, "seed \(seed): read \(got), and it is \(wanted)")
    }
  }

  private func write(_ index: Int, _ number: Int) {
    guard let input = inputs[index] else { return }
    numbers[index] = number
    input.write(number)
  }

  private func check() {
    for step in steps {
      let (got, wanted) = (step.observed.current, step.expected())
      expect(got == wanted, "seed \(seed): at rest read \(got), and it is \(wanted)")
    }
    for (token, log) in tokens where token != nil {
      let (got, wanted) = (log.values.last, log.step.expected())
      expect(got == wanted, "seed \(seed): the last value presented is \(got ?? -1), and the last written \(wanted)")
    }
  }
}
