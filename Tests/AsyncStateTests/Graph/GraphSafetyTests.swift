import AsyncState
import Testing

/// What a closure of the user's holds.
private final class Witness {}

/// Carries something to another thread, as an object that is released there does.
private final class Parcel<Content>: @unchecked Sendable {
  private var content: Content?

  init(_ content: Content) {
    self.content = content
  }

  /// Releases the content on another thread, and returns when that is done.
  func releaseElsewhere() async {
    await Task.detached { self.content = nil }.value
  }
}

@Suite("1.8, 1.9, 1.10 Observed: nothing that is released or written in the middle is undefined")
struct GraphSafetyTests {
  let log = Log()

  // MARK: 1.8

  /// An actor with a graph, whose parts are released by others.
  private actor Home {
    let input = Input(0)
    var calls = 0
    weak var witness: AnyObject?

    func observing() -> Parcel<ObservationToken> {
      let witness = Witness()
      self.witness = witness
      return Parcel(input.map { $0 + 1 }.observe { [witness] _ in withExtendedLifetime(witness) {} })
    }

    func binding() -> Parcel<Box<Witness>> {
      let box = Box(Witness())
      witness = box.unbox
      box.bind(to: input) { _, _ in }
      return Parcel(box)
    }

    func deriving() -> Parcel<Observed<Int>> {
      let witness = Witness()
      self.witness = witness
      return Parcel(input.map { [witness] value in withExtendedLifetime(witness) { value } }.map { $0 })
    }

    func closing() -> (Parcel<Input<Int>>, AsyncStream<Int>) {
      let input = Input(7)
      return (Parcel(input), input.zip(.constant(1)).map { $0.0 + $0.1 }.values)
    }

    func write(_ value: Int) { input.write(value) }

    var isReleased: Bool { witness == nil }
  }

  @Test("1.8 a token released on another thread ends the observation, and its closure is released there")
  func tokenElsewhere() async {
    let home = Home()
    let parcel = await home.observing()
    await parcel.releaseElsewhere()
    #expect(await home.isReleased)
    await home.write(1)
  }

  @Test("1.8 a box released on another thread releases its object and its bindings")
  func boxElsewhere() async {
    let home = Home()
    let parcel = await home.binding()
    await parcel.releaseElsewhere()
    #expect(await home.isReleased)
    await home.write(1)
  }

  @Test("1.8 a derived value released on another thread releases its transform")
  func derivedElsewhere() async {
    let home = Home()
    let parcel = await home.deriving()
    await parcel.releaseElsewhere()
    #expect(await home.isReleased)
    await home.write(1)
  }

  @Test("1.8, 7.2 an input released on another thread ends streams", .timeLimit(.minutes(5)))
  func inputElsewhere() async {
    let (parcel, values) = await Home().closing()
    await parcel.releaseElsewhere()
    var seen: [Int] = []
    for await value in values { seen.append(value) }
    #expect(seen == [8])
  }

  @Test("1.8 a token released on another thread during a round is not called again, and freed when the round is over")
  func tokenElsewhereDuringARound() {
    let input = Input(0)
    weak var released: Witness?
    var parcel: Unmanaged<ObservationToken>?
    let first = input.observe { value in
      guard value == 1, let token = parcel.take() else { return }
      // This thread stands for another: the actor is inside, and the last reference is released.
      token.release()
      #expect(released != nil)
    }
    do {
      let held = Witness()
      released = held
      parcel = .passRetained(input.observe { [log, held] value in withExtendedLifetime(held) { log(value) } })
    }
    input.write(1)
    #expect(released == nil)
    input.write(2)
    #expect(log.take() == ["0"])
    withExtendedLifetime(first) {}
  }

  @Test("7.4 on the owner's actor a closure is released with its token, without a write")
  func releasedAtOnce() {
    let input = Input(0)
    weak var released: Witness?
    var token: ObservationToken?
    do {
      let witness = Witness()
      released = witness
      token = input.map { [witness] value in withExtendedLifetime(witness) { value } }.observe { _ in }
    }
    token?.cancel()
    #expect(released == nil)
    token = nil
    _ = token
  }

  @Test("7.1 an observer that releases the last way in which its value could change runs to its end")
  func releasesLastWay() {
    var chooser: Input<Bool>? = Input(true)
    let x = Input(1)
    let shown = chooser!.flatMap { $0 ? x : .constant(2) }
    let witness = Witness()
    let token = shown.observe { [log, witness] value in
      if value == 10 {
        chooser?.write(false)
        chooser = nil
      }
      withExtendedLifetime(witness) { log(value) }
    }
    x.write(10)
    #expect(log.take() == ["1", "10", "2"])
    x.write(11)
    #expect(log.take() == [])
    #expect(shown.value == 2)
    withExtendedLifetime(token) {}
  }

  @Test("1.8 observers of an input that was released stay registered, and their closures live as long as their tokens")
  func closedInput() {
    var input: Input<Int>? = Input(1)
    let derived = input!.map { $0 + 1 }
    weak var released: Witness?
    var token: ObservationToken?
    do {
      let witness = Witness()
      released = witness
      token = derived.observe { [witness] _ in withExtendedLifetime(witness) {} }
    }
    input = nil
    #expect(released != nil)
    token = nil
    #expect(released == nil)
    #expect(derived.value == 2)
    _ = (token, input)
  }

  // MARK: 1.9

  @Test("1.9 a chain of 100,000 derived values on an actor: made, read, observed, written, released")
  func deepChain() async {
    actor Home {
      func run() -> [Int] {
        var seen: [Int] = []
        let input = Input(0)
        var top: Observed<Int> = input
        for _ in 0..<100_000 { top = top.map { $0 &+ 1 } }
        seen.append(top.value)
        var token: ObservationToken? = top.observe { seen.append($0) }
        input.write(1)
        token = nil
        input.write(2)
        seen.append(top.value)
        token = top.observe { _ in }
        top = .constant(0)
        _ = token
        return seen
      }

      func runWide() -> Int {
        let input = Input(0)
        var top: Observed<Int> = input
        for _ in 0..<20_000 { top = top.zip(input).map { $0.0 &+ $0.1 } }
        for _ in 0..<20_000 { top = top.flatMap { .constant($0) } }
        var last = 0
        let token = top.observe { last = $0 }
        input.write(1)
        token.cancel()
        return last
      }
    }
    let home = Home()
    #expect(await home.run() == [100_000, 100_000, 100_001, 100_002])
    #expect(await home.runWide() == 20_001)
  }

  @Test("1.9 values that depend on each other stop with a message")
  func cycle() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let flag = Input(false)
      let name = Input("x")
      var other: Observed<String> = name
      let first = flag.flatMap { $0 ? other : name }
      other = first.map { $0 + "!" }
      _ = first.value
      flag.write(true)
      print(first.value)
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("depends on itself"))
  }

  @Test("1.9, 1.4 a transform that writes: readers see it at once, observers are called when the transform is done")
  func transformWrites() {
    let input = Input(0)
    let count = Input(0)
    let derived = input.map { value -> Int in
      count.write(value * 10)
      return value + 1
    }
    let both = derived.zip(count).map { "\($0.0) \($0.1)" }
    let tokens = [count.observe { [log] in log("count \($0)") }, both.observe { [log] in log("both \($0)") }]
    _ = log.take()
    input.write(1)
    #expect(count.value == 10)
    #expect(Set(log.take()).isSuperset(of: ["count 10", "both 2 10"]))
    #expect(both.value == "2 10")
    withExtendedLifetime(tokens) {}
  }

  @Test("1.9 objects that a write replaces are released when everything is in order: they may write, too")
  func deinitWrites() {
    final class Item {
      let number: Int
      let onRelease: () -> Void
      init(_ number: Int, onRelease: @escaping () -> Void) {
        self.number = number
        self.onRelease = onRelease
      }
      deinit { onRelease() }
    }
    let releases = Input(0)
    let item = Input(Item(0) { releases.write(releases.value + 1) })
    let sum = item.map { $0.number }.zip(releases).map { $0.0 * 100 + $0.1 }
    let token = sum.observe { [log] in log($0) }
    item.write(Item(1) { releases.write(releases.value + 1) })
    #expect(releases.value == 1)
    #expect(log.take().last == "101")
    withExtendedLifetime(token) {}
  }

  // MARK: 1.10

  @Test("1.10 equal values are cut off in generic code, too")
  func genericCode() {
    func input<Value>(_ value: Value) -> Input<Value> { Input(value) }
    func derived<Value, Result>(_ source: Observed<Value>, _ transform: @escaping (Value) -> Result) -> Observed<Result>
    {
      source.map(transform)
    }
    func chosen<Value, Result>(_ source: Observed<Value>, _ other: Observed<Result>) -> Observed<Result> {
      source.flatMap { _ in other }
    }
    let number = input(1)
    let isPositive = derived(number) { $0 > 0 }
    let tokens = [
      number.observe { [log] in log("number \($0)") }, isPositive.observe { [log] in log("positive \($0)") },
      chosen(number, isPositive).observe { [log] in log("chosen \($0)") },
    ]
    _ = log.take()
    number.write(1)
    #expect(log.take() == [])
    number.write(2)
    #expect(log.take() == ["number 2"])
    withExtendedLifetime(tokens) {}
  }

  // MARK: 7.1

  @Test("7.1 no observer is called twice in a row with the same value, though values in between were skipped")
  func notTwice() {
    let input = Input(0)
    let derived = input.map { $0 % 2 }
    let tokens = [
      input.observe { value in
        if value == 1, derived.value == 1 {
          input.write(2)
          // Read in between, so that the value in the middle is computed.
          _ = derived.value
          input.write(4)
        }
        _ = derived.value
      },
      derived.observe { [log] in log($0) },
    ]
    input.write(1)
    let calls = log.take()
    #expect(zip(calls, calls.dropFirst()).allSatisfy { $0 != $1 })
    withExtendedLifetime(tokens) {}
  }

  @Test("7.1 an observer that joins while others have yet to be called compares with what it began with")
  func latecomer() {
    let input = Input(0)
    let other = Input(0)
    let sum = input.zip(other).map { $0.0 + $0.1 }
    var late: ObservationToken?
    let tokens = [
      input.observe { [log] value in
        guard value == 1, late == nil else { return }
        input.write(2)
        late = sum.observe { log("late \($0)") }
        input.write(1)
      },
      sum.observe { [log] in log("sum \($0)") },
    ]
    _ = log.take()
    input.write(1)
    let calls = log.take()
    #expect(calls.first == "late 2")
    #expect(calls.last == "late 1" || calls.last == "sum 1")
    #expect(calls.contains("late 1"))
    #expect(calls.filter { $0 == "sum 1" }.count == 1)
    withExtendedLifetime((tokens, late)) {}
  }

  // MARK: 7.2

  @Test("7.2 batches inside each other each change as one, at their own end")
  func nestedBatches() {
    let left = Input(0)
    let right = Input(0)
    let token = left.zip(right).map { "\($0.0) \($0.1)" }.observe { [log] in log($0) }
    _ = log.take()
    batch { outer in
      outer.write(1, to: left)
      batch { inner in
        inner.write(2, to: left)
        inner.write(3, to: right)
        outer.write(4, to: left)
      }
      #expect(log.take() == ["2 3"])
      #expect(left.value == 2)
    }
    #expect(log.take() == ["4 3"])
    batch { $0.write(4, to: left) }
    #expect(log.take() == [])
    withExtendedLifetime(token) {}
  }

  @Test("7.2 the last write of a batch counts, also where another batch had the input for a while")
  func overlappingBatches() {
    let left = Input(0)
    let right = Input(0)
    let token = left.zip(right).map { "\($0.0) \($0.1)" }.observe { [log] in log($0) }
    let single = left.observe { [log] in log("left \($0)") }
    _ = log.take()
    batch { outer in
      outer.write(1, to: right)
      batch { inner in
        inner.write(2, to: left)
        outer.write(3, to: left)
      }
      #expect(log.take() == ["2 0", "left 2"])
      outer.write(4, to: left)
    }
    #expect(log.take() == ["4 1", "left 4"])
    withExtendedLifetime((token, single)) {}
  }

  @Test("7.2, 1.8 inputs that are released in the body of a batch, or by what it calls, do no harm")
  func releasedInBatch() {
    var inputs: [Input<Int>]? = (0..<5).map { Input($0) }
    let sum = inputs!.reduce(Observed<Int>.constant(0)) { $0.zip($1).map { $0 + $1 } }
    let token = sum.observe { [log] in
      log("\($0)")
      inputs = nil
    }
    inputs = (0..<5).map { Input($0) }
    let others = inputs!.reduce(Observed<Int>.constant(0)) { $0.zip($1).map { $0 + $1 } }
    let other = others.observe { [log] in
      log("other \($0)")
      if $0 > 10 { inputs = nil }
    }
    _ = log.take()
    batch { writes in
      let local = Input(1)
      writes.write(2, to: local)
      for input in inputs ?? [] { writes.write(3, to: input) }
    }
    #expect(log.take() == ["other 15"])
    #expect(inputs == nil)
    #expect(others.value == 15)
    withExtendedLifetime((token, other)) {}
  }

  @Test("7.2 a batch's equality is asked before anything is written")
  func batchEquality() {
    struct Odd {
      var number: Int
    }
    var seen: [Int] = []
    let first = Input(1)
    let second = Input(
      Odd(number: 1),
      isEqual: { former, new in
        seen.append(first.value)
        return former.number == new.number
      })
    batch {
      $0.write(2, to: first)
      $0.write(Odd(number: 2), to: second)
    }
    #expect(seen == [1])
    #expect(first.value == 2 && second.value.number == 2)
  }

  @Test("7.2 values ends when a flatMap above has left the last value that can be written", .timeLimit(.minutes(5)))
  func streamOfChoice() async {
    var chooser: Input<Bool>? = Input(true)
    let kept = Input(1)
    var other: Input<Int>? = Input(2)
    let chosen: Observed<Int>
    do {
      let other = other!.observed
      let kept = kept.observed
      chosen = chooser!.flatMap { $0 ? kept : other }
    }
    let values = chosen.values
    chooser?.write(false)
    chooser = nil
    other = nil
    _ = (chooser, other)
    var seen: [Int] = []
    for await value in values { seen.append(value) }
    #expect(seen == [2])
    withExtendedLifetime(kept) {}
  }

  // MARK: 7.4

  @Test("7.4 a value that is chosen by itself is fine")
  func choosesItself() {
    let input = Input(1)
    let value = input.map { $0 }
    let token = value.flatMap { _ in value }.observe { [log] in log($0) }
    let direct = input.flatMap { _ in input }.observe { [log] in log($0) }
    input.write(2)
    #expect(log.take() == ["1", "1", "2", "2"])
    withExtendedLifetime((token, direct)) {}
  }

  @Test("7.4 the read-only view of an input cannot be cast to the input, and does not keep it")
  func readOnly() {
    var input: Input<Int>? = Input(1)
    let released = Weak(input)
    let view = input!.observed
    #expect(view as? Input<Int> == nil)
    input?.write(2)
    #expect(view.value == 2)
    input = nil
    #expect(released.object == nil)
    #expect(view.value == 2)
  }
}
