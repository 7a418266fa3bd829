// SPDX-License-Identifier: MIT
import Testing

@testable import AsyncState

extension AllTests {
  @MainActor
  struct OriginTests {
    @Test("3.14 what was answered together is an answer, and no request is expected of a part that was requested")
    func combined() {
      let answers = zip(AsyncSnapshot.value(1), AsyncSnapshot.value(2))
      #expect(answers.context.origin == .answer && !answers.isUntouched)
      let failed = zip(AsyncSnapshot<Int>.failed(Failure(name: "lost")), AsyncSnapshot<Int>())
      #expect(!failed.context.isRequestExpected && failed.error != nil)
    }
  }
}
