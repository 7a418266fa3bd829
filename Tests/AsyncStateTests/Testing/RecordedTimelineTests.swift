// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncState
import AsyncStateTesting
import Testing

@Suite("13.2 Timelines that are read again", .timeLimit(.minutes(5)))
@MainActor
struct RecordedTimelineTests {
  @Test("13.2 every event is read from its words")
  func events() throws {
    let kinds = (0..<16).map {
      StateJournal.DataKind(
        isRunning: $0 & 1 != 0, isValueSet: $0 & 2 != 0, hasError: $0 & 4 != 0, isInvalidated: $0 & 8 != 0)
    }
    var events: [StateJournal.Event] = [
      .attached(nil), .released, .loadStarted(.reload), .loadStarted(.refresh), .loadYielded, .loadProgressed(nil),
      .loadProgressed(0), .loadProgressed(1), .loadRetries(failures: 2, error: "a: b ← c"), .loadFailed("reset"),
      .loadCancelled, .loadSuperseded, .loadFoundFresh, .elementArrived, .streamEnded, .valueSet, .errorSet("no: no"),
      .errorRemoved, .reset,
      .forgotten, .keyChanged, .keyRemoved, .keyMissing, .invalidated, .patched, .pageFailed(.next, "x"),
      .pageFailed(.previous, ""),
      .storeWritten, .storeRemoved, .storeFailed("full"), .evicted, .tagsInvalidated("item 2, item 1"), .written,
      .statusChanged("noData"), .appearance(.gone), .appearance(.appearing), .appearance(.visible),
      .appearance(.disappearing), .willTransition("two", animated: true), .willTransition("two", animated: false),
      .didTransition("one, two", animated: true), .didTransition("one", animated: false), .childWillAppear("a b"),
      .childDidAppear("a"), .childWillDisappear("a"), .childDidDisappear("a"), .arranged([]), .arranged(["a"]),
      .arranged(["a", "b"]), .warning("odd: ← very"),
    ]
    events += kinds.flatMap { [.attached($0), .combined($0)] }
    events += [true, false].flatMap {
      [
        .loadAnswered(isOutdated: $0), .restored(isOutdated: $0), .patchConfirmed(isOutdated: $0),
        .patchRemoved(isOutdated: $0),
        .storeRead(isFound: $0),
      ]
    }
    events += [StateJournal.Edge.next, .previous].flatMap {
      [
        .pageStarted($0), .pageWaits($0), .pageContinues($0), .pageArrived($0), .pageCancelled($0), .pageSuperseded($0),
      ]
    }
    for event in events {
      for subject in ["data", "items[5: 6]", "a: b"] {
        let entry = try StateJournal.entries(of: "#7 \(subject): \(event) ← #3").first
        #expect(entry?.event == event)
        #expect(entry?.subject == subject)
        #expect(entry?.cause == 3)
      }
    }
    for percent in 0...100 {
      let text = "#1 data: progress \(percent) %"
      #expect(try StateJournal.entries(of: text).map(\.description) == [text])
    }
  }

  @Test("13.2 a timeline is read with its times, and gives the same timeline again")
  func timeline() throws {
    let timeline = """
        0.000  #1   data: attached: idle
        1.250  #2   query: written
       61.005  #3     data: load started (refresh) ← #2
       -0.500  #4       data: answered ← #3
      """
    let entries = try StateJournal.entries(of: "\n" + timeline + "\r\n\n")
    #expect(entries.map(\.time) == [.zero, .milliseconds(1_250), .milliseconds(61_005), .milliseconds(-500)])
    #expect(StateJournal.timeline(of: entries) == timeline)
    #expect(entries.map(\.ends) == [nil, nil, nil, 3])
    #expect(try StateJournal.entries(of: "") == [])
  }

  @Test(
    "13.2 a text of the user's is read as it was recorded, whatever its characters are",
    arguments: [
      ("", ""), ("boom", "boom"), (" ", ""), (" at\tthe edges\u{2003}", "at\tthe edges"),
      ("two\r\nlines\n", "two lines"),
      ("code ← #7", "code ⟵ #7"), ("← #7", "⟵ #7"), ("\u{301}", "◌\u{301}"), ("\u{200D}x", "◌\u{200D}x"),
      ("\u{600}", "\u{600}◌"), ("x\u{600}", "x\u{600}◌"),
      ("e\u{301}", "e\u{301}"), ("🇨🇭", "🇨🇭"), ("reset", "reset"), ("a: failed: b", "a: failed: b"),
      (String(repeating: "x", count: 200), String(repeating: "x", count: 160)),
      (String(repeating: "é", count: 159) + " é", String(repeating: "é", count: 159)),
    ])
  func texts(text: String, recorded: String) throws {
    struct Odd: Error, CustomStringConvertible { let description: String }
    let stage = JournalStage()
    let data = stage.data()
    data.error = Odd(description: text)
    data.begin().fail(with: Odd(description: text))
    let container = StateContainer(initialState: 0) { _ in [] }
    stage.journal.attach(container, name: "pages", state: { _ in text })
    container.appear(animated: false)
    container.setNeedsTransition(to: 1, animated: false)
    let entries = stage.journal.entries
    let events: [StateJournal.Event] = [
      .errorSet(recorded), .loadFailed(recorded), .willTransition(recorded, animated: false),
      .didTransition(recorded, animated: false),
    ]
    for event in events { #expect(entries.contains { $0.event == event }) }
    let read = try StateJournal.entries(of: stage.journal.timeline)
    #expect(read.map(\.event) == entries.map(\.event))
    #expect(read.map(\.cause) == entries.map(\.cause))
  }

  @Test(
    "13.2 the name of a child or a state is read as it was written, and a plain one is written as it is",
    arguments: [
      "a", "a b", "a: b", "a:", ":", "a: reset", "status a", "invalidated a", "will transition to a",
      "did transition from a", "a will appear", "a did disappear", "failed: a", "children: a", "a, b", "a,", ", ",
      "none", "", "\"", "\"a\"", "a\", \"b", "\"a\", \"b\"", "\"\"", "5\" a", "a, animated",
      "\"a, animated",
    ])
  func names(name: String) throws {
    var events: [StateJournal.Event] = [
      .childWillAppear(name), .childDidAppear(name), .childWillDisappear(name), .childDidDisappear(name),
    ]
    for others in [[], ["x"], ["x: y"], ["\""], [""]] {
      events += [.arranged([name] + others), .arranged(others + [name]), .arranged(others + [name, name])]
    }
    for animated in [true, false] {
      events += [.willTransition(name, animated: animated), .didTransition(name, animated: animated)]
    }
    for event in events {
      for subject in ["pages", "a: b", "a: \"b"] {
        let entry = try StateJournal.entries(of: "#7 \(subject): \(event) ← #3").first
        #expect(entry?.event == event && entry?.subject == subject)
      }
    }
    guard ["a", "a b", "a will appear", "a,"].contains(name) else { return }
    #expect("\(events[0])" == "\(name) will appear")
    #expect("\(StateJournal.Event.arranged([name, "b"]))" == "children: \(name), b")
  }

  @Test("13.2 what ends what is found again: two changes, both edges, a transition, a load of another journal")
  func ends() throws {
    let entries = try StateJournal.entries(
      of: """
        #1 data: attached: running
        #2 data: patched
        #3 data: patched
        #4 data: patch confirmed ← #3
        #5 other: value set
        #6 data: patch removed ← #5
        #7 data: cancelled ← #1
        #8 data: next page requested
        #9 data: previous page requested
        #10 data: next page arrived ← #8
        #11 data: previous page failed: no ← #9
        #12 pages: will transition to 2
        #13 pages: did transition from 1 ← #12
        #14 pages: will transition to 3
        #15 pages: released
        #16 data: patch confirmed
        """)
    #expect(entries.map { $0.ends ?? 0 } == [0, 0, 0, 3, 0, 2, 1, 0, 0, 8, 9, 0, 12, 0, 14, 0])
  }

  @Test(
    "13.2 a line that is no entry is named",
    arguments: [
      "hello", "#x data: reset", "#0 data: reset", "#1 data", "#1 data: exploded", "now #1 data: reset",
      "1.5 #1 a: reset",
    ])
  func unreadable(line: String) {
    #expect(throws: UnreadableTimeline(line: 3, text: line)) {
      try StateJournal.entries(of: "#1 data: attached\n\n\(line)")
    }
    #expect(
      "\(UnreadableTimeline(line: 3, text: line))"
        == "Line 3 is no entry of a timeline: \(line). An entry is `0.450 #6 results: answered ← #5`.")
  }
}
