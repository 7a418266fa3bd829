// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState
import Testing

@testable import AsyncStateDemo

@Suite("A box of a scene")
@MainActor
struct StageBoxTests {
  private func rows(_ box: StageBox, columns: Int, rows: Int) -> [String] {
    box.rows(in: Size(columns: columns, rows: rows), time: .zero).map(\.plainText)
  }

  @Test("Lines that do not fit share the rows; where they do not fit either, the last row ends in an ellipsis")
  func lines() {
    let box = StageBox("list")
    _ = box.update(to: .data(["one", "two", "three"]))
    #expect(
      rows(box, columns: 12, rows: 5) == [
        "╭─ list ───╮", "│ one      │", "│ two      │", "│ three    │", "╰──────────╯",
      ])
    #expect(
      rows(box, columns: 22, rows: 3) == ["╭─ list ─────────────╮", "│ one, two, three    │", "╰────────────────────╯"])
    #expect(rows(box, columns: 12, rows: 3)[1] == "│ one, …   │")
  }

  @Test("A long word is broken, so that what stands before it stays on its row")
  func words() {
    #expect("✗ CancellationError()".wrapped(toColumns: 15) == ["✗ CancellationE", "rror()"])
    #expect("the list is that of “s”.".wrapped(toColumns: 12) == ["the list is", "that of “s”."])
  }

  @Test("An error beside the content has a row of its own, and takes none of the content away")
  func beside() {
    let box = StageBox("list")
    let change = box.update(to: .data(["one", "two"]), beside: "closed")
    #expect(change?.text == "one, two (✗ closed)")
    #expect(
      rows(box, columns: 14, rows: 4) == ["╭─ list ─────╮", "│ one, two   │", "│ ✗ closed   │", "╰────────────╯"])
    #expect(box.update(to: nil, beside: "closed") == nil)
  }

  @Test("What was requested stands above the content, and a count in the upper edge, where there is room")
  func requestedAndCounted() {
    let box = StageBox("list")
    box.requested = "Search: s"
    box.counting = .init(unit: "answer") { $0.kind == .data }
    _ = box.update(to: .loading)
    _ = box.update(to: .data(["one"]))
    #expect(
      rows(box, columns: 21, rows: 4) == [
        "╭─ list ─ 1 answer ─╮", "│ Search: s         │", "│ one               │", "╰───────────────────╯",
      ])
    _ = box.update(to: .data(["two"]))
    #expect(
      rows(box, columns: 14, rows: 3) == ["╭─ list ─────╮", "│ two        │", "╰────────────╯"])
    #expect(rows(box, columns: 30, rows: 3)[0].contains(" 2 answers ─╮"))
  }

  @Test("It fits into every room")
  func sizes() {
    let statuses: [AsyncStatus<[String]>] = [
      .loading, .noData, .error(Refusal("a long reason for it")), .data((0..<30).map { "line \($0)" }),
    ]
    for status in statuses {
      for columns in 1...60 {
        for rows in 2...6 {
          let box = StageBox("a name")
          box.requested = "what was requested"
          box.counting = .init(unit: "update") { _ in true }
          _ = box.update(to: status, beside: "beside")
          let drawn = box.rows(in: Size(columns: columns, rows: rows), time: .zero)
          #expect(drawn.count == rows)
          if columns > 1 { #expect(drawn.allSatisfy { $0.endColumn <= columns }) }
        }
      }
    }
  }
}
#endif
