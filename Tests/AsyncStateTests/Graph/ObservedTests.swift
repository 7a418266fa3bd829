@testable import AsyncState
import Testing

@Suite("7.1 to 7.4 Observed and Input")
struct ObservedTests {
  let log = Log()

  /// Observes for as long as the token lives, and writes down what it hears.
  private func observe<Value>(_ observed: Observed<Value>, _ name: String = "") -> ObservationToken {
    observed.observe { [log] in log("\(name)\($0)") }
  }

  // MARK: 7.1

  @Test("7.1 an observer is called at once with the current value, and then for each change")
  func atOnce() {
    let input = Input(1)
    let token = observe(input)
    #expect(log.take() == ["1"])
    input.write(2)
    #expect(input.value == 2)
    input.write(3)
    #expect(log.take() == ["2", "3"])
    token.cancel()
    input.write(4)
    #expect(log.take() == [])
  }

  @Test("7.1 equal writes are cut off where values are equatable, or where an equality was given")
  func cutOff() {
    struct Opaque { var number: Int }
    let equatable = Input(1)
    let given = Input(Opaque(number: 1), isEqual: { $0.number == $1.number })
    let opaque = Input(Opaque(number: 1))
    let tokens = [observe(equatable), observe(given.map { "given \($0.number)" as Any }), observe(opaque)]
    _ = log.take()
    equatable.write(1)
    given.write(Opaque(number: 1))
    #expect(log.take() == [])
    opaque.write(Opaque(number: 1))
    #expect(log.take().count == 1)
    withExtendedLifetime(tokens) {}
  }

  @Test("7.1 each derived value has its own cut-off")
  func derivedCutOff() {
    let input = Input(1)
    var computed = 0
    let isEven = input.map { $0.isMultiple(of: 2) }
    let text = isEven.map { isEven in
      computed += 1
      return isEven ? "even" : "odd"
    }
    let token = observe(text)
    input.write(3)
    input.write(5)
    #expect(computed == 1)
    input.write(6)
    #expect(log.take() == ["odd", "even"])
    #expect(computed == 2)
    token.cancel()
  }

  @Test("7.1 a member of a value is an observed value of its own")
  func members() {
    struct Point: Equatable {
      var x = 0
      var y = 0
    }
    let point = Input(Point())
    let token = observe(point.x)
    point.change { $0.y = 1 }
    point.change { $0.x = 2 }
    #expect(log.take() == ["0", "2"])
    token.cancel()
  }

  // MARK: 7.2

  @Test("7.2 a diamond is told once, never with a mixed value, and each transform runs once")
  func diamond() {
    let input = Input(1)
    var runs: [String: Int] = [:]
    let double = input.map { value -> Int in
      runs["double", default: 0] += 1
      return value * 2
    }
    let triple = input.map { value -> Int in
      runs["triple", default: 0] += 1
      return value * 3
    }
    let both = double.zip(triple).map { pair -> String in
      runs["both", default: 0] += 1
      return "\(pair.0)+\(pair.1)"
    }
    let token = observe(both)
    runs = [:]
    input.write(2)
    #expect(log.take() == ["2+3", "4+6"])
    #expect(runs == ["double": 1, "triple": 1, "both": 1])
    token.cancel()
  }

  @Test("7.2 every derived value is new before any observer hears")
  func allNewBeforeAnybodyHears() {
    let input = Input(1)
    let double = input.map { $0 * 2 }
    let next = double.map { $0 + 1 }
    var seen: [[Int]] = []
    let tokens = [
      input.observe { _ in seen.append([input.value, double.value, next.value]) },
      next.observe { _ in seen.append([input.value, double.value, next.value]) },
    ]
    seen = []
    input.write(2)
    #expect(seen == [[2, 4, 5], [2, 4, 5]])
    withExtendedLifetime(tokens) {}
  }

  @Test("7.2 a transform runs at most once for a change, observed or asked")
  func runsOnce() {
    let input = Input(1)
    var runs = 0
    let derived = input.map { value -> Int in
      runs += 1
      return value
    }
    #expect(runs == 0)
    #expect(derived.value == 1 && derived.value == 1)
    #expect(runs == 1)
    let tokens = [observe(derived), observe(derived)]
    #expect(runs == 1)
    input.write(2)
    #expect(derived.value == 2)
    #expect(runs == 2)
    tokens.forEach { $0.cancel() }
    #expect(derived.value == 2)
    #expect(runs == 2)
    input.write(3)
    #expect(runs == 2)
    #expect(derived.value == 3)
    #expect(runs == 3)
  }

  @Test("7.2 what nobody observes is not computed, however its source changes")
  func lazy() {
    let input = Input(1)
    let derived = input.map { _ -> Int in fatalError("computed") }
    let token = observe(input)
    input.write(2)
    withExtendedLifetime((derived, token)) {}
  }

  @Test("7.2 many diamonds on top of each other take no more than one run each, asked or observed")
  func stackedDiamonds() {
    let input = Input(1)
    var runs = 0
    var top: Observed<Int> = input
    for _ in 0..<60 {
      top = top.zip(top.map { $0 }).map { pair -> Int in
        runs += 1
        return (pair.0 + pair.1) / 2
      }
    }
    #expect(top.value == 1)
    #expect(runs == 60)
    let token = observe(top)
    input.write(2)
    #expect(runs == 120)
    #expect(log.take() == ["1", "2"])
    token.cancel()
  }

  @Test("7.2 within a batch several inputs change as one, at its end, and the last write to an input counts")
  func batches() {
    let width = Input(1)
    let height = Input(1)
    let area = width.zip(height).map { $0.0 * $0.1 }
    let tokens = [observe(area, "area "), observe(width, "width "), observe(height, "height ")]
    _ = log.take()
    batch {
      $0.write(2, to: width)
      #expect(width.value == 1)
      $0.write(5, to: height)
      $0.write(3, to: width)
    }
    #expect(log.take() == ["area 15", "width 3", "height 5"])
    batch {
      $0.write(3, to: width)
      $0.write(6, to: height)
    }
    #expect(log.take() == ["area 18", "height 6"])
    batch {
      $0.write(9, to: width)
      $0.write(3, to: width)
    }
    #expect(log.take() == [])
    batch { _ in }
    withExtendedLifetime(tokens) {}
  }

  // MARK: 7.3

  @Test("7.3 an observer that writes the same input is heard: everybody sees both values in order")
  func writesItself() {
    let input = Input(0)
    let tens = input.map { $0 * 10 }
    let tokens = [
      input.observe { [log] value in
        log("a\(value)")
        guard value == 1 else { return }
        input.write(2)
        log("reads \(input.value) \(tens.value)")
      },
      observe(input, "b"),
      observe(tens, "tens "),
    ]
    _ = log.take()
    input.write(1)
    #expect(log.take() == ["a1", "reads 2 20", "b1", "tens 10", "a2", "b2", "tens 20"])
    #expect(tens.value == 20)
    withExtendedLifetime(tokens) {}
  }

  @Test("7.3 of several writes inside an observer none is lost")
  func writesSeveral() {
    let input = Input(0)
    let tokens = [
      input.observe { if $0 == 1 { for value in [2, 3, 2] { input.write(value) } } },
      observe(input),
    ]
    _ = log.take()
    input.write(1)
    #expect(log.take() == ["1", "2", "3", "2"])
    withExtendedLifetime(tokens) {}
  }

  @Test("7.3 an observer that writes in its first call is heard")
  func writesInFirstCall() {
    let input = Input(1)
    let token = input.observe { [log] value in
      log(value)
      if value < 4 { input.write(value + 1) }
    }
    #expect(log.take() == ["1", "2", "3", "4"])
    token.cancel()
  }

  @Test("7.3 an observer of a derived value that writes its input is heard")
  func writesUpstream() {
    let input = Input(1)
    let double = input.map { $0 * 2 }
    let tokens = [
      double.observe { [log] value in
        log("a\(value)")
        if value < 8 { input.write(value) }
      },
      observe(double, "b"),
    ]
    #expect(log.take() == ["a2", "a4", "a8", "b8"])
    input.write(2)
    #expect(log.take() == ["a4", "b4", "a8", "b8"])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "7.3 a token that is cancelled or dropped during a round silences its observer in that round",
    arguments: [true, false])
  func silenced(byCancel: Bool) {
    let input = Input(0)
    var later: ObservationToken?
    let first = input.observe { value in
      guard value == 1 else { return }
      if byCancel { later?.cancel() } else { later = nil }
    }
    later = observe(input, "later ")
    let last = observe(input, "last ")
    _ = log.take()
    input.write(1)
    #expect(log.take() == ["last 1"])
    withExtendedLifetime((first, last)) {}
  }

  @Test("7.3 a token dropped inside its own callback is fine")
  func droppedInside() {
    let input = Input(0)
    var token: ObservationToken?
    token = input.observe { [log] value in
      log(value)
      if value == 1 { token = nil }
    }
    input.write(1)
    input.write(2)
    #expect(log.take() == ["0", "1"])
    #expect(token == nil)
  }

  @Test("7.3 an observer that joins during a round starts with the value by then, and hears it once")
  func joins() {
    let input = Input(0)
    let double = input.map { $0 * 2 }
    var tokens: [ObservationToken] = []
    tokens.append(
      input.observe { value in
        guard value == 1 else { return }
        tokens.append(self.observe(double, "joined "))
        input.write(2)
        tokens.append(self.observe(input, "late "))
      })
    tokens.append(observe(double, "there "))
    _ = log.take()
    input.write(1)
    #expect(log.take() == ["joined 2", "late 2", "there 2", "there 4", "joined 4"])
    // The first observer keeps what it adds to.
    tokens = []
  }

  @Test("1.5 observers of everything that an input leads to hear in the order in which they registered")
  func registrationOrder() {
    let input = Input(0)
    let left = input.map { $0 + 1 }
    let right = input.map { $0 + 2 }
    let both = left.zip(right).map { $0.0 + $0.1 }
    let order: [(String, Observed<Int>)] = [
      ("a", both), ("b", left), ("c", input), ("d", both), ("e", right), ("f", input), ("g", left),
    ]
    let tokens = order.map { name, observed in observed.observe { [log] _ in log(name) } }
    _ = log.take()
    input.write(1)
    #expect(log.take() == ["a", "b", "c", "d", "e", "f", "g"])
    tokens[3].cancel()
    input.write(2)
    #expect(log.take() == ["a", "b", "c", "e", "f", "g"])
    withExtendedLifetime(tokens) {}
  }

  @Test("1.4 a write to an input that shares a derived value: nobody hears an old value after a new one")
  func connectedInputs() {
    let left = Input(0)
    let right = Input(0)
    let sum = left.zip(right).map { $0.0 + $0.1 }
    let tokens = [
      left.observe { right.write($0 * 10) },
      observe(sum, "sum "),
      observe(right, "right "),
    ]
    _ = log.take()
    left.write(1)
    #expect(log.take() == ["right 10", "sum 1", "sum 11"])
    left.write(2)
    #expect(log.take() == ["right 20", "sum 12", "sum 22"])
    withExtendedLifetime(tokens) {}
  }

  @Test("1.4 a write to something else inside an observer is heard before it returns")
  func somethingElse() {
    let input = Input(0)
    let other = Input(0)
    let tokens = [
      input.observe { [log] value in
        other.write(value)
        log("wrote \(value)")
      },
      observe(other, "other "),
    ]
    _ = log.take()
    input.write(1)
    #expect(log.take() == ["other 1", "wrote 1"])
    withExtendedLifetime(tokens) {}
  }

  @Test("1.4 a batch inside an observer of one of its inputs loses nothing")
  func batchInside() {
    let left = Input(0)
    let right = Input(0)
    let sum = left.zip(right).map { $0.0 + $0.1 }
    let tokens = [
      left.observe { value in
        guard value == 1 else { return }
        batch {
          $0.write(2, to: left)
          $0.write(20, to: right)
        }
      },
      observe(left, "left "),
      observe(right, "right "),
      observe(sum, "sum "),
    ]
    _ = log.take()
    left.write(1)
    #expect(log.take() == ["right 20", "left 1", "sum 1", "left 2", "sum 22"])
    #expect(sum.value == 22)
    withExtendedLifetime(tokens) {}
  }

  @Test("1.4 what observers write during a batch's round is told after it")
  func writeDuringBatch() {
    let left = Input(0)
    let right = Input(0)
    let tokens = [
      left.observe { if $0 == 1 { right.write(11) } },
      right.observe { if $0 == 10 { left.write(2) } },
      observe(left, "left "),
      observe(right, "right "),
    ]
    _ = log.take()
    batch {
      $0.write(1, to: left)
      $0.write(10, to: right)
    }
    #expect(log.take().suffix(2).sorted() == ["left 2", "right 11"])
    #expect(left.value == 2 && right.value == 11)
    withExtendedLifetime(tokens) {}
  }

  // MARK: 7.4

  @Test("7.4 a live token keeps the chain above it alive though the steps between are dropped")
  func keepsChain() {
    let input = Input(1)
    let token = observe(input.map { $0 * 2 }.map { $0 + 1 })
    input.write(2)
    #expect(log.take() == ["3", "5"])
    token.cancel()
    input.write(3)
    #expect(log.take() == [])
  }

  @Test("7.4 a token on facts keeps the values, not the facts")
  func keepsNotFacts() {
    var data: AsyncData<Int>? = AsyncData()
    data?.value = 1
    let observed = data!.observed.map(\.value)
    let token = observed.observe { [log] in log($0 ?? 0) }
    let released = Weak(data)
    data = nil
    #expect(released.object == nil)
    #expect(observed.value == 1)
    #expect(log.take() == ["1"])
    token.cancel()
  }

  @Test("7.4 what is let go is let go: inputs, steps, closures")
  func lifetimes() {
    final class Witness {}
    var witness: Witness? = Witness()
    let released = Weak(witness)
    var input: Input<Int>? = Input(1)
    let releasedNode = Weak(input!.node)
    var token: ObservationToken? = input!.map { [witness] value in
      withExtendedLifetime(witness) { value * 2 }
    }.observe { _ in }
    witness = nil
    #expect(released.object != nil)
    input = nil
    #expect(releasedNode.object != nil)
    token = nil
    #expect(released.object == nil)
    #expect(releasedNode.object == nil)
    _ = token
  }

  @Test("7.4 flatMap follows only the inner value it is on")
  func flatMap() {
    let choice = Input(0)
    let inner = [Input(10), Input(20)]
    let chosen = choice.flatMap { inner[$0] }
    let token = observe(chosen)
    inner[1].write(21)
    inner[0].write(11)
    choice.write(1)
    inner[0].write(12)
    inner[1].write(22)
    #expect(log.take() == ["10", "11", "21", "22"])
    #expect(inner[0].node.dependentCount == 0)
    token.cancel()
    #expect(inner[1].node.dependentCount == 0)
  }

  @Test("7.4 choosing another inner value with an equal value is no change")
  func flatMapCutOff() {
    struct Opaque { var number = 5 }
    let choice = Input(0)
    let equatable = choice.flatMap { _ in Observed.constant(5) }
    let opaque = choice.flatMap { _ in Observed.constant(Opaque()) }
    let tokens = [observe(equatable, "equal "), opaque.observe { [log] in log("opaque \($0.number)") }]
    _ = log.take()
    choice.write(1)
    #expect(log.take() == ["opaque 5"])
    withExtendedLifetime(tokens) {}
  }

  @Test("7.4 an inner value that is being left in the same change is not computed any more")
  func leftInner() {
    let input = Input(0)
    var computed: [Int] = []
    let inner = input.map { value -> Int in
      computed.append(value)
      return value
    }
    let token = observe(input.flatMap { $0 == 0 ? inner : .constant(-1) })
    input.write(1)
    #expect(computed == [0])
    #expect(log.take() == ["0", "-1"])
    token.cancel()
  }

  @Test("7.4 flatMap to itself is fine")
  func flatMapToItself() {
    let input = Input(1)
    let token = observe(input.flatMap { _ in input })
    input.write(2)
    input.write(3)
    #expect(log.take() == ["1", "2", "3"])
    token.cancel()
    #expect(input.node.dependentCount == 0)
    let derived = input.map { $0 }
    let second = observe(derived.flatMap { _ in derived })
    input.write(4)
    #expect(log.take() == ["3", "4"])
    second.cancel()
  }

  @Test("7.4 change is one notification and returns what its body returns")
  func change() {
    let input = Input([1])
    let token = observe(input)
    let last: Int? = input.change { list in
      list.append(2)
      list.append(3)
      return list.last
    }
    #expect(last == 3)
    input.change { _ in }
    #expect(log.take() == ["[1]", "[1, 2, 3]"])
    token.cancel()
  }

  @Test("7.4 a constant never changes, and can be derived from and observed")
  func constant() {
    let token = observe(Observed.constant(1).map { $0 + 1 }.zip(Input(5)))
    #expect(log.take() == ["(2, 5)"])
    token.cancel()
  }

  @Test("an input let go inside an observer tells the round to its end")
  func letGoInside() {
    var input: Input<Int>? = Input(0)
    let tokens = [
      input!.observe { if $0 == 1 { input = nil } },
      observe(input!, "direct "),
      observe(input!.map { $0 * 2 }, "derived "),
    ]
    _ = log.take()
    input?.write(1)
    #expect(input == nil)
    #expect(log.take() == ["direct 1", "derived 2"])
    withExtendedLifetime(tokens) {}
  }

  @Test("an observer that is registered on what nobody can write any more is called once")
  func observeClosed() {
    let derived: Observed<Int>
    do { derived = Input(1).map { $0 + 1 } }
    let token = observe(derived)
    #expect(log.take() == ["2"])
    token.cancel()
    #expect(derived.value == 2)
  }

  @Test("of very many observers each hears, and their places are given back when they leave")
  func many() {
    let input = Input(0)
    var sum = 0
    var tokens: [ObservationToken?] = (0..<10_000).map { _ in input.observe { sum += $0 } }
    input.write(1)
    #expect(sum == 10_000)
    for index in tokens.indices where !index.isMultiple(of: 4) { tokens[index] = nil }
    #expect(input.node.observerCount <= 10_000)
    input.write(2)
    #expect(sum == 15_000)
    tokens = []

    input.write(3)
    #expect(sum == 15_000)
  }

  @Test("7.1 a member that is not equatable is an observed value, too, and each write changes it")
  func plainMember() {
    struct Plain { var number: Int }
    struct Whole { var plain: Plain }
    let input = Input(Whole(plain: Plain(number: 1)))
    var numbers: [Int] = []
    let token = input.plain.observe { numbers.append($0.number) }
    input.write(Whole(plain: Plain(number: 1)))
    #expect(numbers == [1, 1])
    token.cancel()
  }
}
