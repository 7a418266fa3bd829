// SPDX-License-Identifier: MIT
import AsyncState
import Testing

extension AllTests {
  struct WantsNextPageTests {
    @Test("8.4 the last rows want the next page while there is a next cursor")
    func lastRows() {
      let pages = Paged<Int, Int>(first: .init(items: Array(0..<10), next: 1))
      #expect((0..<10).filter { pages.wantsNextPage(displaying: $0) } == [7, 8, 9])
      #expect((0..<10).filter { pages.wantsNextPage(displaying: $0, threshold: 1) } == [9])
      #expect((0..<10).filter { pages.wantsNextPage(displaying: $0, threshold: 0) } == [])
      #expect((0..<10).filter { pages.wantsNextPage(displaying: $0, threshold: -1) } == [])
      #expect((0..<10).allSatisfy { pages.wantsNextPage(displaying: $0, threshold: 99) })
    }

    @Test("8.4 with no next cursor nothing is wanted; with one and no row yet it is")
    func ends() {
      #expect(!Paged<Int, Int>(first: .init(items: [1], next: nil)).wantsNextPage(displaying: 0))
      #expect(Paged<Int, Int>(first: .init(items: [], next: 1)).wantsNextPage(displaying: 0))
      #expect(!Paged<Int, Int>(first: .init(items: [], next: nil)).wantsNextPage(displaying: 0))
    }

    @Test("8.4 the first rows want the previous page while there is a previous cursor")
    func firstRows() {
      let pages = Paged<Int, Int>(first: .init(items: Array(0..<10), previous: 1))
      #expect((0..<10).filter { pages.wantsPreviousPage(displaying: $0) } == [0, 1, 2])
      #expect((0..<10).filter { pages.wantsPreviousPage(displaying: $0, threshold: 1) } == [0])
      #expect((0..<10).filter { pages.wantsPreviousPage(displaying: $0, threshold: -1) } == [])
      #expect((0..<10).allSatisfy { pages.wantsPreviousPage(displaying: $0, threshold: 99) })
      #expect(!(0..<10).contains { pages.wantsNextPage(displaying: $0) })
    }

    @Test("8.4 with no previous cursor nothing is wanted; with one and no row yet it is")
    func previousEnds() {
      #expect(!Paged<Int, Int>(first: .init(items: [1], next: 1)).wantsPreviousPage(displaying: 0))
      #expect(Paged<Int, Int>(first: .init(items: [], previous: 1)).wantsPreviousPage(displaying: 0))
    }
  }
}
