// SPDX-License-Identifier: MIT
import AsyncState

/// Attaches what a family adds to a journal.
final class FamilyProbe: FamilyHook {
  private let name: String
  private weak var journal: StateJournal?
  private weak var home: (any Actor)?

  init(_ journal: StateJournal, _ name: String, _ home: any Actor) {
    self.journal = journal
    self.name = StateJournal.text(of: name)
    self.home = home
  }

  func didAdd<Key, Value>(_ key: Key, _ data: AsyncData<Value>) {
    guard let journal, let home else { return }
    journal.attach(data, "\(name)[\(StateJournal.text(of: key))]", home)
  }
}

/// Records what a board invalidates.
final class BoardProbe: BoardHook {
  private let link: JournalProbe

  init(_ link: JournalProbe) {
    self.link = link
    link.note(.attached(nil))
  }

  func retire() {
    link.retire()
  }

  func invalidating(_ tags: [AsyncTag], _ body: () -> Void) {
    guard let journal = link.journal else { return body() }
    let texts = tags.prefix(8).map { StateJournal.text(of: $0) } + (tags.count > 8 ? ["…"] : [])
    let number = link.note(.tagsInvalidated(texts.joined(separator: ", ")))
    journal.notifying(of: number, body)
  }
}
