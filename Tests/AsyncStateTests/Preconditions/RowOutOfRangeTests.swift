import AsyncState
import Testing

#if os(macOS) || os(Linux) || os(Windows)
  @Suite("8.1 A row that is out of range", .timeLimit(.minutes(1)))
  struct RowOutOfRangeTests {
    @Test("8.1 the process stops with a message that names the index and the count", arguments: [-1, 2, Int.max])
    func stops(index: Int) async throws {
      let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
        let list = ListDataSource(items: ["a", "b"], dequeue: { $0 }, configure: { _, _ in })
        _ = list.cell(at: index)
      }
      for part in ["AsyncState: ListDataSource", "index \(index),", "it has 2.", "rows that are gone", "reload it"] {
        #expect(result.errorText.contains(part))
      }
    }

    @Test("8.1 an empty list has no row at all, and no cell is asked for one")
    func empty() async throws {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent, \.standardOutputContent]
      ) {
        let list = ListDataSource<Int, Int>(
          items: [],
          dequeue: {
            print("dequeued")
            return $0
          }, configure: { _, _ in })
        _ = list.cell(at: 0)
      }
      #expect(result.errorText.contains("index 0, and it has 0."))
      #expect(!result.outputText.contains("dequeued"))
    }
  }
#endif
