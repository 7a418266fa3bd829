// SPDX-License-Identifier: MIT
import Testing

@testable import AsyncState

extension AllTests {
  struct MutationOverlapTests {
    @Test("16.2 by default the type of the input decides, also where generic code creates the mutation")
    func automatic() {
      struct Form { var name: String }
      struct Name: Equatable { var name: String }
      func sends<Input>(_ first: Input, _ second: Input) -> Bool {
        MutationOverlap.automatic.sameness(of: Input.self)?(first, second) != true
      }
      expect(sends(Form(name: "a"), Form(name: "a")))
      expect(sends((1, 2), (1, 2)))
      expect(sends("a", "b"))
      expect(sends([1], [2]))
      expect(!sends("a", "a"))
      expect(!sends(Name(name: "a"), Name(name: "a")))
      expect(!sends(1 as Int?, 1))
      expect(!sends((), ()))
      expectEqual(MutationOverlap.latest.sameness(of: Void.self)?((), ()), true)
      expectEqual(MutationOverlap.latest.sameness(of: [Int].self)?([1], [1]), true)
      expectNil(MutationOverlap.latest.sameness(of: Form.self))
    }
  }
}
