// SPDX-License-Identifier: MIT
import Testing

@testable import AsyncState

extension AllTests {
  @MainActor
  struct OriginTests {
    @Test("3.12 the server's value is an answer where nothing but a seed was known")
    func replacedSeed() async {
      let data = AsyncData(seed: 1)
      _ = await data.mutate {
        $0 += 1
      } replacing: {
        nil
      }
      #expect(data.status().kind == .noData)
      #expect(data.snapshot.isValueSet && !data.snapshot.isUntouched && !data.snapshot.isProvisional)
      #expect(!data.isLoading && data.isStale)

      let other = AsyncData(seed: 1)
      _ = await other.mutate {
        $0 += 1
      } replacing: {
        7
      }
      #expect(other.value == 7 && other.snapshot.isValueSet && !other.snapshot.isProvisional)

      let empty = AsyncData<Int>()
      _ = await empty.mutate {
        $0 += 1
      } replacing: {
        7
      }
      #expect(empty.value == 7 && empty.snapshot.isValueSet && !empty.snapshot.isUntouched)
    }

    @Test("3.14 what was answered together is an answer, and no request is expected of a part that was requested")
    func combined() {
      let answers = zip(AsyncSnapshot.value(1), AsyncSnapshot.value(2))
      #expect(answers.context.origin == .answer && !answers.isUntouched)
      let failed = zip(AsyncSnapshot<Int>.failed(Failure(name: "lost")), AsyncSnapshot<Int>.untouched)
      #expect(!failed.context.isRequestExpected && failed.error != nil)
    }
  }
}
