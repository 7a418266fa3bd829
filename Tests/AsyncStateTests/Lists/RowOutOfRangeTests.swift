// SPDX-License-Identifier: MIT
import AsyncStateLists
import AsyncState
import Testing

#if os(macOS) || os(Linux) || os(Windows)
  extension AllTests {
    struct RowOutOfRangeTests {
      enum Mistake: String, Codable, CaseIterable {
        case below, behind, inSection, notAppliedYet

        var message: [String] {
          switch self {
          case .below: ["AsyncState: ListDataSource", "index -1,", "the count is 2.", "Apply each change", "reload"]
          case .behind: ["index 2,", "the count is 2."]
          case .inSection: ["the row at index 2 of section 1, but the count is 2."]
          case .notAppliedYet: ["index 1, but the count is 1."]
          }
        }

        func make() {
          let sections: [ListSection<Int>] =
            switch self {
            case .below, .behind: [ListSection(id: 0, items: [1, 2])]
            case .inSection: [ListSection(id: 0, items: [1]), ListSection(id: 1, items: [2, 3])]
            case .notAppliedYet: [ListSection(id: 0, items: [1])]
            }
          let input = Input(sections)
          let list = ListDataSource<Int, ListPath>(
            sections: input,
            dequeue: { (path: ListPath) -> ListPath in
              print("dequeued")
              return path
            }, configure: { _, _ in })
          switch self {
          case .below: _ = list.cell(at: -1)
          case .behind: _ = list.cell(at: 2)
          case .inSection: _ = list.cell(at: ListPath(section: 1, row: 2))
          case .notAppliedYet:
            let token = list.observeChanges { _ in }
            input.write([ListSection(id: 0, items: [1, 2])])
            _ = list.cell(at: 1)
            token.cancel()
          }
        }
      }

      @Test(
        "8.1 a row that a list does not have stops with a message that names it and the count, and dequeues no cell")
      func stops() async throws {
        for mistake in Mistake.allCases {
          let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent, \.standardOutputContent]
          ) { [mistake = mistake as Mistake] in
            mistake.make()
          }
          for part in mistake.message { expectEqual(result.errorText.contains(part), true, "\(mistake): \(part)") }
          expectEqual(result.outputText.contains("dequeued"), false, "\(mistake)")
        }
      }
    }
  }
#endif
