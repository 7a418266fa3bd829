// SPDX-License-Identifier: MIT
import AsyncState
@testable import AsyncStateJournal
import AsyncStateTesting
import Foundation
import Testing

/// The page of a journal as a text. Tests/Page opens it in a browser.
@MainActor
struct JournalPageTests {
  struct Named: Error, CustomStringConvertible {
    var description: String
  }

  /// The data that the script of a page reads.
  private func data(of page: String) throws -> [String: Any] {
    let start = try #require(page.range(of: "id=\"data\">")).upperBound
    let end = try #require(page.range(of: "</script>", range: start..<page.endIndex)).lowerBound
    return try #require(try JSONSerialization.jsonObject(with: Data(page[start..<end].utf8)) as? [String: Any])
  }

  @Test("13.6 a page has all entries that are kept, with their causes and ends, or none, and refers to nothing outside")
  func entries() async throws {
    let journal = StateJournal(capacity: 6)
    let data = AsyncData<Int>()
    journal.attach(data, name: "answer")
    let query = Input(0)
    journal.attach(query, name: "query")
    let token = query.observe { if $0 > 0 { data.value = $0 } }
    query.write(1)
    await data.load { 2 }
    data.error = Named(description: "late")
    let read = try self.data(of: journal.page())
    expectEqual(read["dropped"] as? Int, journal.dropped)
    expect(journal.dropped > 0)
    let subjects = try #require(read["subjects"] as? [String])
    let rows = try #require(read["entries"] as? [[Any]])
    expectEqual(rows.count, journal.entries.count)
    for (row, entry) in zip(rows, journal.entries) {
      let subject = try #require(row[2] as? Int)
      expectEqual(row[0] as? Int, entry.number)
      expectEqual(subjects[subject], entry.subject)
      expectEqual(row[3] as? String, "\(entry.event)")
      expect(row[4] as? Int == entry.cause ?? 0)
      expect(row[5] as? Int == entry.ends ?? 0)
    }
    withExtendedLifetime(token) {}
    let page = StateJournal().page()
    try expectEqual(self.data(of: page)["entries"] as? [[Int]], [])
    for address in ["http:", "https:", "src=", "href=", "url(", "import(", "fetch(", "@import"] {
      expect(!page.contains(address), "\(address)")
    }
    expect(page.contains("default-src 'none'"))
  }

  @Test(
    "13.6 hostile names, errors and titles are text in a page",
    arguments: [
      "</script><script>alert(1)</script>", "<!--<script>", "\"]}//", "\\\"\\u0022", "&quot;&lt;",
      "a\u{2028}b\u{0}\u{1F}c", "]]>", "🧵\u{202E}x",
    ])
  func hostile(name: String) throws {
    let plain = StateJournal()
    let hostile = StateJournal()
    for (journal, text) in [(plain, "plain"), (hostile, name)] {
      let data = AsyncData<Int>()
      journal.attach(data, name: text)
      data.error = Named(description: text)
    }
    let (page, expected) = (hostile.page(title: name), plain.page(title: "plain"))
    // As many elements, comments and attributes as with plain names.
    for mark in ["<", ">", "<script", "<!--", "</"] {
      expectEqual(page.components(separatedBy: mark).count, expected.components(separatedBy: mark).count, "\(mark)")
    }
    let read = try data(of: page)
    expectEqual(read["subjects"] as? [String], [hostile.entries[0].subject])
    let texts = (read["entries"] as? [[Any]] ?? []).compactMap { $0[3] as? String }
    expectEqual(texts, hostile.entries.map { "\($0.event)" })
  }
}
