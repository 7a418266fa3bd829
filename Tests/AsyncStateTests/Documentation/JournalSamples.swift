import AsyncState
import Testing

// The samples of the article "Finding out why", and of the journal's comments.

@Suite("13.1 The samples of the journal")
@MainActor
struct JournalSamples {
  @Test("13.1 the first sample of StateJournal")
  func attaching() {
    let query = AsyncData<String>()
    let results = AsyncData<[String]>()
    let journal = StateJournal()
    journal.attach(query, name: "query")
    journal.attach(results, name: "results")
    // Later, for instance in a debugger:
    print(journal.timeline)
    #expect(journal.entries.count == 2)
  }
}
