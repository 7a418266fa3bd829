// SPDX-License-Identifier: MIT
// A client of every public symbol of the journal: a developer's menu that displays what happened, and why.
// also with: -default-isolation MainActor
// also with: -enable-upcoming-feature NonisolatedNonsendingByDefault
// also with: -strict-memory-safety

import AsyncStateJournal
import AsyncState

@MainActor
final class Console {
  let journal: StateJournal
  private var token: ObservedToken?
  private(set) var lines: [String] = []

  init() {
    journal = StateJournal(capacity: 200, clock: ContinuousClock())
  }

  func attach(
    _ articles: AsyncResource<[String]>, _ family: AsyncFamily<Int, String>, _ board: AsyncTagBoard,
    _ outbox: AsyncOutbox<String, Int>
  ) {
    journal.attach(articles, name: "articles")
    journal.attach(AsyncHost(articles), name: "screen", child: { "\(type(of: $0))" })
    journal.attach(AsyncData<Int>(), name: "count")
    journal.attach(AsyncMutation { (text: String) in text }, name: "send")
    journal.attach(outbox, name: "notes")
    journal.attach(Input(""), name: "query")
    journal.attach(StateContainer(initialState: 0) { _ in [] }, name: "steps", state: { "step \($0)" })
    journal.attach(family, name: "family")
    journal.attach(board, name: "board")
    token = journal.observe { [unowned self] (entry: StateJournal.Entry) in lines.append(entry.description) }
  }

  /// Why the last thing happened.
  var reason: [String] {
    journal.entries.map { entry in
      "\(entry.number) \(entry.time) \(entry.subject) \(entry.cause as Any) \(entry.ends as Any) \(entry.warning ?? entry.text)"
    }
  }

  var report: String {
    """
    \(journal.dropped) dropped: \(journal.description)
    \(journal.timeline)
    \(StateJournal.timeline(of: journal.entries.suffix(10)))
    """
  }
}

/// The journal as a file for a report.
func report(_ journal: StateJournal) -> [String] {
  [journal.page(), journal.page(title: "Feed")]
}
