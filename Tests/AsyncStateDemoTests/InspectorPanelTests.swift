// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncStateJournal
import AsyncState
import AsyncStateTesting
import Testing

@testable import AsyncStateDemo

@Suite("The inspector of the browser")
@MainActor
struct InspectorPanelTests {
  let clock = ManualClock()

  /// A panel about the data of a folder, of which a load was superseded and another one has failed.
  private func panel(capacity: Int = 1000, error: String = "no") async -> InspectorPanel {
    let journal = StateJournal(capacity: capacity, clock: clock)
    var lanes = JournalLanes()
    let token = journal.observe { lanes.add($0) }
    let folder = AsyncData<Int>()
    journal.attach(folder, name: "folder")
    folder.value = 1
    let superseded = folder.begin()
    await clock.advance(by: .milliseconds(100))
    let load = folder.begin()
    await clock.advance(by: .milliseconds(100))
    load.fail(with: Refusal(error))
    let last = lanes.lastMarkedNumber
    let causes = [journal[last]].compactMap(\.self) + journal.causes(of: last)
    withExtendedLifetime((token, folder, superseded)) {}
    return InspectorPanel(lanes: lanes, now: .zero, causes: causes, dropped: journal.dropped)
  }

  private func text(_ panel: InspectorPanel, columns: Int, rows: Int) -> [String] {
    panel.rows(in: Size(columns: columns, rows: rows)).map(\.plainText)
  }

  @Test("Names at the left, lanes over time, the axis, the legend, and how it came about")
  func looks() async {
    let rows = text(await panel(), columns: 80, rows: InspectorPanel.mostRows)
    #expect(
      rows == [
        "── inspector ────────────────────────── entry #6 of 6 · , . others · < > zoom ──",
        " folder load  ━━━━━━━━━━⊘━━━━━━━━━✗", " folder data  ▏value              ▏value, error", " rows load",
        " rows data", " details load", " status", " container", " children",
        "              ▏0 s                ▲",
        " ━ running  ✗ failed  ⊘ superseded  ▲ selected",
        " #6 folder: failed: no ← #5 folder: load started (refresh)",
      ])
  }

  @Test("In 40 columns all is there, in fewer words")
  func narrow() async {
    let rows = text(await panel(), columns: 40, rows: InspectorPanel.leastRows)
    #expect(
      rows == [
        "── inspector ────────── entry #6 of 6 ──", " folder load  ━━━━━⊘━━━━✗",
        " folder data  ▏value    ▏value, error",
        " status", " container", " children", "              ▏0 s      ▲", " ━run ✗fail ⊘old ▲this",
        " #6 folder: failed: no ← #5 folder: …",
      ])
  }

  @Test("The legend names the signs that are displayed, and no others")
  func legend() async {
    let signs: Set<Character> = ["━", "●", "✗", "○", "⊘", "◇", "◆", "▪", "⏸", "▸", "┤", "⋯", "▲"]
    let panel = await panel()
    for columns in 60...120 {
      let rows = text(panel, columns: columns, rows: InspectorPanel.mostRows)
      let drawn = Set(rows[1..<10].joined()).intersection(signs)
      #expect(Set(rows[10]).intersection(signs) == drawn)
    }
    let empty = InspectorPanel(lanes: JournalLanes(), now: .zero, causes: [], dropped: 0)
    #expect(text(empty, columns: 80, rows: 20)[10] == "")
  }

  @Test("It fits into every room; without enough rows there is nothing")
  func sizes() async {
    let panel = await panel(error: String(repeating: "a long story ", count: 30))
    for columns in stride(from: 40, through: 200, by: 8) {
      for rows in 0...20 {
        let drawn = panel.rows(in: Size(columns: columns, rows: rows))
        #expect(drawn.isEmpty == (rows < InspectorPanel.leastRows))
        #expect(drawn.count <= min(rows, InspectorPanel.mostRows) || rows > InspectorPanel.mostRows)
        #expect(drawn.allSatisfy { $0.endColumn <= columns })
      }
    }
  }

  @Test("The layout shares the rows: the list keeps three, and a line says what is missing")
  func layout() {
    for rows in 10...60 {
      let closed = BrowserLayout(size: Size(columns: 80, rows: rows))
      let open = BrowserLayout(size: Size(columns: 80, rows: rows), isInspecting: true)
      #expect(closed.panel.rows == 0)
      #expect(open.body.rows + open.panel.rows == closed.body.rows)
      #expect(open.body.rows >= 3)
      #expect(open.panel.rows == 1 || open.panel.rows >= InspectorPanel.leastRows)
    }
    let low = BrowserLayout(size: Size(columns: 40, rows: 10), isInspecting: true)
    let frame = low.frame(above: [Row(), Row()], body: [], panel: [], below: [Row(), Row(), Row()])
    #expect(frame.rows[6].plainText == " The inspector needs 17 rows, not 10.")
  }

  @Test("A cause that the journal has removed is named as such")
  func droppedCauses() async {
    let rows = text(await panel(capacity: 1), columns: 100, rows: InspectorPanel.mostRows)
    #expect(rows[0].hasSuffix(" entry #6 of 6, 5 dropped · , . others · < > zoom ──"))
    #expect(rows.last == " #6 folder: failed: no ← #5, dropped")
  }

  @Test("A text of an error cannot move the cursor")
  func controlCharacters() async {
    let rows = text(await panel(error: "\u{1B}[2J\n"), columns: 100, rows: InspectorPanel.mostRows)
    #expect(rows.last == " #6 folder: failed: \\u{1B}[2J ← #5 folder: load started (refresh)")
  }

  @Test("Before the first entry")
  func empty() {
    let panel = InspectorPanel(lanes: JournalLanes(), now: .zero, causes: [], dropped: 0)
    #expect(text(panel, columns: 80, rows: 20).last == " Nothing has happened yet.")
  }
}
#endif
