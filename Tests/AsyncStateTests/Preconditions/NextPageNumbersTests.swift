// SPDX-License-Identifier: MIT
import AsyncState
import Testing

extension AllTests {
  struct NextPageNumbersTests {
    let pages = Paged<Int, Int>(first: .init(items: Array(0..<10), next: 1))

    @Test("8.4 a row before the first is not one of the last; a row after the last is", arguments: [0, 3, -1, Int.min])
    func noRow(threshold: Int) {
      for index in [-1, Int.min] { #expect(!pages.wantsNextPage(displaying: index, threshold: threshold)) }
      for index in [10, Int.max] { #expect(pages.wantsNextPage(displaying: index, threshold: threshold)) }
    }

    @Test("8.4 a threshold greater than the list is all of it", arguments: [10, 11, Int.max])
    func hugeThreshold(threshold: Int) {
      #expect((0..<10).allSatisfy { pages.wantsNextPage(displaying: $0, threshold: threshold) })
    }
  }
}
