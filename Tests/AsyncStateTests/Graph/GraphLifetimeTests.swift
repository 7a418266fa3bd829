import AsyncState
import Testing

/// What a transform of the user's holds.
private final class Witness {}

@Suite("7.4 Observed: what the graph keeps, and how long", .timeLimit(.minutes(5)))
struct GraphLifetimeTests {
  /// A derived value whose transform holds a witness.
  private func deriving(from source: Observed<Int>, _ witness: Witness) -> Observed<Int> {
    source.map { [witness] value in withExtendedLifetime(witness) { value } }
  }

  @Test("7.4 with the last token the whole chain goes, though its input lives on")
  func chainGoes() {
    let input = Input(0)
    weak var released: Witness?
    var token: ObservationToken?
    do {
      let witness = Witness()
      released = witness
      token = deriving(from: input, witness).map { $0 + 1 }.map { $0 + 1 }.observe { _ in }
    }
    #expect(released != nil)
    token = nil
    #expect(released == nil)
    #expect(token == nil)
  }

  @Test("7.4 a stream of what never changes keeps nothing")
  func streamOfConstant() {
    weak var released: Witness?
    do {
      let witness = Witness()
      released = witness
      _ = deriving(from: .constant(1), witness).map { $0 + 1 }.values
    }
    #expect(released == nil)
  }

  @Test("7.4 a stream of what nobody can write any more keeps nothing")
  func streamOfFormerInput() {
    weak var released: Witness?
    do {
      let witness = Witness()
      released = witness
      let derived: Observed<Int>
      do { derived = deriving(from: Input(1), witness) }
      _ = derived.map { $0 + 1 }.values
    }
    #expect(released == nil)
  }

  @Test("7.2 a stream ends when its input is let go inside an observer, after the round that runs")
  @MainActor func inputGoesInsideAnObserver() async {
    var input: Input<Int>? = Input(0)
    let token = input!.observe { if $0 == 1 { input = nil } }
    let derived = input!.map { $0 * 10 }
    let values = derived.values
    input?.write(1)
    var seen: [Int] = []
    for await value in values { seen.append(value) }
    #expect(seen == [10])
    withExtendedLifetime((token, derived)) {}
  }
}
