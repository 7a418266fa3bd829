// SPDX-License-Identifier: MIT
@testable import AsyncState
import Testing

extension AllTests {
  struct GraphLifetimeTests: ObservingSuite {
    let log = Log()

    /// A derived value whose transform holds a witness.
    private func deriving(from source: Observed<Int>, _ witness: Witness) -> Observed<Int> {
      source.map { [witness] value in withExtendedLifetime(witness) { value } }
    }

    @Test(
      "7.4 a token keeps the chain above it; with the last one that is released, though its input lives on, without a write",
      arguments: [true, false])
    func chainGoes(byCancel: Bool) {
      let input = Input(0)
      weak var released: Witness?
      var token: ObservedToken?
      do {
        let witness = Witness()
        released = witness
        token = observe(deriving(from: input, witness).map { $0 * 2 }.map { $0 + 1 })
      }
      expect(released != nil)
      input.write(2)
      if byCancel { token?.cancel() } else { token = nil }
      expectNil(released)
      input.write(3)
      expectEqual(log.take(), ["1", "5"])
      withExtendedLifetime(token) {}
    }

    @Test("7.4 a token on data keeps the values, not the data")
    func keepsNotData() {
      var data: AsyncData<Int>? = AsyncData()
      data?.value = 1
      let observed = data!.observed.map(\.value)
      let token = observed.observe { [log] in log($0 ?? 0) }
      let released = Weak(data)
      data = nil
      expectNil(released.object)
      expectEqual(observed.current, 1)
      expectEqual(log.take(), ["1"])
      token.cancel()
    }

    @Test(
      "1.8 observers of an input that was released stay registered, and their closures live as long as their tokens")
    func closedInput() {
      var input: Input<Int>? = Input(1)
      let derived = input!.map { $0 + 1 }
      weak var released: Witness?
      var token: ObservedToken?
      do {
        let witness = Witness()
        released = witness
        token = derived.observe { [witness] _ in withExtendedLifetime(witness) {} }
      }
      input = nil
      expect(released != nil)
      token = nil
      expectNil(released)
      expectEqual(derived.current, 2)
      _ = (token, input)
    }

    @Test("7.4 the read-only view of an input cannot be cast to the input, and does not keep it")
    func readOnly() {
      var input: Input<Int>? = Input(1)
      let released = Weak(input)
      let view = input!.observed
      expectNil(view as? Input<Int>)
      input?.write(2)
      expectEqual(view.current, 2)
      input = nil
      expectNil(released.object)
      expectEqual(view.current, 2)
    }
  }
}
