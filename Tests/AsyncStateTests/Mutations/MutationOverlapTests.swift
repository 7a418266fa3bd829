// SPDX-License-Identifier: MIT
import Testing

@testable import AsyncState

extension AllTests {
  struct MutationOverlapTests {
    @Test("16.2 by default the type of the input decides, also where generic code creates the mutation")
    func automatic() {
      struct Form { var name: String }
      func sends<Input>(_ first: Input, _ second: Input) -> Bool {
        MutationOverlap.automatic.sameness(of: Input.self)?(first, second) != true
      }
      #expect(sends(Form(name: "a"), Form(name: "a")) && sends((1, 2), (1, 2)) && sends("a", "b") && sends([1], [2]))
      #expect(!sends("a", "a") && !sends([1], [1]) && !sends(1 as Int?, 1) && !sends((), ()))
      let latest = MutationOverlap.latest
      #expect(latest.sameness(of: Void.self)?((), ()) == true && latest.sameness(of: [Int].self)?([1], [1]) == true)
      #expect(latest.sameness(of: Form.self) == nil && MutationOverlap.queue.sameness(of: Int.self) == nil)
    }
  }
}
