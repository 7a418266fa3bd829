// SPDX-License-Identifier: MIT
import AsyncStateLists
import AsyncState
import Testing

#if os(macOS) || os(Linux) || os(Windows)
  extension AllTests {
    struct RowOutOfRangeTests {
      @Test("8.1 the process stops with a message that names the index and the count", arguments: [-1, 2, Int.max])
      func stops(index: Int) async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
          let list = ListDataSource(items: .constant(["a", "b"]), dequeue: { $0 }, configure: { _, _ in })
          _ = list.cell(at: index)
        }
        for part in ["AsyncState: ListDataSource", "index \(index),", "the count is 2.", "Apply each change", "reload"]
        {
          #expect(result.errorText.contains(part))
        }
      }

      @Test("8.1 the message names the section, too")
      func sections() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          let list = ListDataSource(
            sections: .constant([ListSection(id: 0, items: [1]), ListSection(id: 1, items: [2, 3])]), dequeue: { $0 },
            configure: { _, _ in })
          _ = list.cell(at: ListPath(section: 1, row: 2))
        }
        #expect(result.errorText.contains("the row at index 2 of section 1, but the count is 2."))
      }

      @Test("8.1 a list that is not applied yet stops for an index of the new one")
      func notApplied() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          let items = Input([1])
          let list = ListDataSource(items: items, dequeue: { $0 }, configure: { _, _ in })
          let token = list.observeChanges { _ in }
          items.write([1, 2])
          _ = list.cell(at: 1)
          token.cancel()
        }
        #expect(result.errorText.contains("index 1, but the count is 1."))
      }

      @Test("8.1 an empty list has no row at all, and no cell is requested")
      func empty() async throws {
        let result = try await #require(
          processExitsWith: .failure, observing: [\.standardErrorContent, \.standardOutputContent]
        ) {
          let list = ListDataSource<Int, Int>(
            items: .constant([]),
            dequeue: {
              print("dequeued")
              return $0
            }, configure: { _, _ in })
          _ = list.cell(at: 0)
        }
        #expect(result.errorText.contains("index 0, but the count is 0."))
        #expect(!result.outputText.contains("dequeued"))
      }
    }
  }
#endif
