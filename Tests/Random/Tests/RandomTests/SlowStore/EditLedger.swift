// SPDX-License-Identifier: MIT
import AsyncState

/// What a person did, and what must and must not become of it: a plain list. The store and the server report to it.
@ModelActor
final class EditLedger {
  struct Deed {
    /// The order in which they were performed.
    var place: Int
    let row: Int
    let isCreation: Bool
    /// What may be sent: one input, or more while a replacement is under way or has failed.
    var contents: Set<Int>
    var sentContent: Int?
    /// The idempotency key that it was sent under.
    var sentKey: String?
    var sendingCount = 0
    /// The store could not count an attempt.
    var isUncounted = false
    /// The store has said that it has it, and no one has taken it back: it must not be lost.
    var isAccepted = false
    /// A use of the store has failed since it was performed, and it is not accepted.
    var isRefused = false
    /// It was taken back, so that it may be removed, also if it is performed again by now.
    var mayBeRemoved = false
    /// The outbox by which a person has taken it back: it must not be sent.
    var takenBackBy: Int?
    /// It was taken back, or refused, and could not be removed by an outbox that was released: it may be sent.
    var isLeft = false
    var isAnswered = false
    var isTakenBack: Bool { takenBackBy != nil }
    /// The server has said that it never will.
    var isForbidden = false
    /// It is performed again.
    var isPending = false
    /// Its place if it must be stored anew.
    var newPlace: Int?
    /// What is chosen after that is behind it in its lane.
    var orderedSince = 0
    var chosenAt = 0
    /// Its place is not known.
    var isUnordered = false
  }

  private(set) var deeds: [Int: Deed] = [:]
  private(set) var fault: String?
  /// The last outbox that has had the answer of a creation, by its temporary identity.
  private var answeredRows: [Int: Int] = [:]
  private var everAnswered: Set<Int> = []
  private var deedOfInput: [Int: Int] = [:]
  /// What is displayed of deeds while the store works at once: the present input, and whether it was answered.
  private var displayed: [(deed: Int, input: Int, isAnswered: Bool)] = []
  private var inputCount = 0
  private var placeCount = 0
  private var time = 0
  /// Where entries are looked up.
  weak var store: SlowStore?

  func note(_ fault: String) { self.fault = self.fault ?? fault }

  private func change(_ number: Int, _ body: (inout Deed) -> Void) {
    guard let id = deedOfInput[number] else { return note("\(number) was never performed") }
    body(&deeds[id]!)
  }

  private func deed(of number: Int) -> Deed? { deedOfInput[number].flatMap { deeds[$0] } }

  /// What is displayed of each row: what was answered, then what is sent, then what waits, in the order of the store.
  ///
  /// - Parameter sent: The deeds that are being sent.
  func shown(sent: Set<Int>) -> [Int: [Int]] {
    let ranks = displayed.enumerated().map { index, one in
      let rank = one.isAnswered ? 0 : sent.contains(one.deed) ? 1 : 2
      return (rank, rank == 2 ? stored(one.deed)?.position ?? .max : 0, index)
    }
    return byRow(displayed.indices.sorted { ranks[$0] < ranks[$1] }.map { displayed[$0].input })
  }

  /// Inputs by row: only those of one row are sent one after another.
  func byRow(_ inputs: [Int]) -> [Int: [Int]] { Dictionary(grouping: inputs) { deed(of: $0)?.row ?? 0 } }

  private func conceal(_ id: Int) { displayed.removeAll { $0.deed == id && !$0.isAnswered } }

  /// Another outbox of the store displays what waits there.
  func restarts() {
    displayed.removeAll { !$0.isAnswered }
    for entry in store?.entries ?? [] where entry.failure == nil {
      displayed.append((deedOfInput[entry.input.number]!, entry.input.number, false))
    }
  }

  /// True if there is no reason any more for a call to wait for it.
  func hasEnded(_ number: Int) -> Bool {
    deed(of: number).map { $0.isAnswered || $0.isTakenBack || $0.isForbidden } != false
  }

  func isForbidden(_ number: Int) -> Bool { deed(of: number)?.isForbidden == true }
  func sendingCount(_ number: Int) -> Int { deed(of: number)?.sendingCount ?? 0 }

  func wasAnswered(_ number: Int) -> Bool { deedOfInput[number].map(everAnswered.contains) == true }

  private func stored(_ id: Int) -> StoredEntry<Edit>? {
    store?.entries.first { deedOfInput[$0.input.number] == id }
  }

  // MARK: What a person does

  /// - Parameter row: Nil: it is created.
  func nextInput(_ row: Int?) -> Edit {
    inputCount += 1
    return Edit(number: inputCount, row: row ?? -inputCount, isCreation: row == nil)
  }

  func perform(_ input: Edit) {
    placeCount += 1
    deedOfInput[input.number] = input.number
    deeds[input.number] = Deed(
      place: placeCount, row: Edit.root(of: input.row), isCreation: input.isCreation, contents: [input.number])
    displayed.append((input.number, input.number, false))
  }

  /// The identities by which a person can know the rows: the temporary one until its creation has left the store, and the other
  /// one as soon as there is an answer. While the next outbox still has a creation that was answered, neither.
  func rows(for outbox: Int) -> [Int] {
    var rows = [1, 2]
    for (id, deed) in deeds.sorted(by: { $0.key < $1.key }) where deed.isCreation {
      let (isInStore, answeredBy) = (stored(id) != nil, answeredRows[deed.row])
      if isInStore, answeredBy.map({ $0 != outbox }) == true { continue }
      let waits = isInStore || !deed.isAccepted && !deed.isRefused && !deed.isAnswered
      if waits, !deed.isTakenBack { rows.append(deed.row) }
      if answeredBy != nil { rows.append(Edit.answer(to: deed.row)) }
    }
    return rows
  }

  func takeBack(_ number: Int, by outbox: Int) {
    if let id = deedOfInput[number] { conceal(id) }
    change(number) { deed in
      deed.takenBackBy = outbox
      deed.mayBeRemoved = true
      deed.isAccepted = false
    }
  }

  func takeBackAll(by outbox: Int) { for id in deeds.keys { takeBack(id, by: outbox) } }

  func performAgain(_ number: Int) {
    guard let id = deedOfInput[number], let deed = deeds[id] else { return note("\(number) was never performed") }
    // It still waits.
    if deed.isAccepted || deed.isLeft, !deed.isForbidden, stored(id)?.failure == nil { return }
    placeCount += 1
    displayed.append((id, number, false))
    change(number) { deed in
      // It is not known whether this is a second tap, or the first one has failed.
      if deed.isPending { deed.isUnordered = true }
      (deed.takenBackBy, deed.isRefused, deed.isLeft) = (nil, false, false)
      (deed.isPending, deed.isForbidden) = (true, false)
      deed.newPlace = placeCount
      deed.orderedSince = .max
    }
  }

  func propose(_ input: Edit, for number: Int) {
    deedOfInput[input.number] = deedOfInput[number]
    change(number) { $0.contents.insert(input.number) }
  }

  /// - Parameter isReplaced: Nil if that is not known.
  func replaced(by input: Edit, _ isReplaced: Bool?) {
    if isReplaced == true {
      for index in displayed.indices where displayed[index].deed == deedOfInput[input.number] {
        displayed[index].input = input.number
      }
    }
    change(input.number) { deed in
      if isReplaced == true { deed.contents = deed.contents.filter { $0 >= input.number } }
      if isReplaced == false { deed.contents.remove(input.number) }
    }
  }

  // MARK: What the store does

  /// - Parameter isNew: False if the store had it already.
  func isStored(_ entry: StoredEntry<Edit>, isNew: Bool) {
    change(entry.input.number) { deed in
      if isNew, let place = deed.newPlace { deed.place = place }
      if !deed.isPending { accept(&deed) }
    }
  }

  private func accept(_ deed: inout Deed) {
    deed.isAccepted = !deed.isTakenBack
    (deed.isPending, deed.isRefused) = (false, false)
  }

  /// True if an entry is stored with one more attempt than were made.
  func isBeingCounted(_ entry: StoredEntry<Edit>) -> Bool {
    deed(of: entry.input.number).map { entry.attempts > $0.sendingCount } == true
  }

  func isPutBack(_ entry: StoredEntry<Edit>) {
    time += 1
    change(entry.input.number) { deed in
      guard deed.isPending else { return }
      accept(&deed)
      deed.orderedSince = time
    }
  }

  /// An attempt could not be counted. It is made all the same.
  func isNotCounted(_ input: Edit) { change(input.number) { $0.isUncounted = true } }

  func isNotSetAside(_ input: Edit) {
    time += 1
    change(input.number) { $0.orderedSince = time }
  }

  func useHasFailed() {
    for (id, deed) in deeds where !deed.isAccepted { deeds[id]?.isRefused = true }
  }

  /// The deed that an input is, or replaces.
  func identity(of input: Edit) -> Int? { deedOfInput[input.number] }

  func isChosen(_ deed: Int) {
    time += 1
    deeds[deed]?.chosenAt = time
  }

  func isRemoved(_ input: Edit) {
    change(input.number) { deed in
      if deed.isAccepted, !deed.isAnswered, !deed.mayBeRemoved { note("\(input) is removed without an answer") }
      guard deed.mayBeRemoved else { return }
      deed.mayBeRemoved = false
      deed.isAccepted = false
      deed.isPending = !deed.isTakenBack
      deed.isAnswered = wasAnswered(input.number)
    }
  }

  /// The next outbox has the entries to go by, and knows what the store lacks.
  func begins(
    _ outbox: Int, with entries: [StoredEntry<Edit>], unremoved: Set<String>, aside: Set<String>, hasFailed: Bool
  ) {
    // What was taken back while it was retried stays set aside, and taken back.
    for entry in entries where !aside.contains(entry.key) || wasAnswered(entry.input.number) {
      change(entry.input.number) { deed in
        guard !deed.isAccepted || deed.isAnswered, deed.takenBackBy.map({ $0 < outbox }) != false else { return }
        // It was left before.
        if deed.isLeft, !deed.isTakenBack, !deed.isAnswered { return }
        // An answer is not removed either if what it rewrites could not be read or written.
        // What is set aside may stay so.
        let mayStay = entry.failure != nil || (deed.isAnswered ? hasFailed : unremoved.contains(entry.key))
        if !mayStay { note("\(entry.input) is left in the store") }
        // It knows what the former one could not remove.
        if unremoved.contains(entry.key) { deed.mayBeRemoved = true }
        (deed.takenBackBy, deed.isAnswered) = (nil, false)
        deed.isLeft = !deed.isAccepted
      }
    }
  }

  // MARK: What the server does

  func arrives(_ input: Edit, key: String) {
    guard let id = deedOfInput[input.number], let deed = deeds[id] else { return note("\(input) was never performed") }
    if deed.isTakenBack { note("\(input) is sent though it was taken back") }
    if !deed.isAccepted, !deed.isLeft { note("\(input) is sent, and was not accepted") }
    if deed.isAnswered { note("\(input) is sent after its answer") }
    if !deed.contents.contains(input.number) { note("\(input) is sent, and was replaced") }
    if let sent = deed.sentKey, sent != key { note("\(input) is sent under another key") }
    if let sent = deed.sentContent, sent != input.number { note("\(input) is sent under the key of \(sent)") }
    if !input.isCreation, answeredRows[input.row] != nil { note("\(input) is sent after its creation was answered") }
    if let attempts = store?.entry(key)?.attempts, attempts <= deed.sendingCount, !deed.isUncounted {
      note("\(input) is sent for the \(deed.sendingCount + 1)th time, and \(attempts) are counted")
    }
    for (other, earlier) in deeds
    where isDue(earlier, before: deed) && !everAnswered.contains(other) && stored(other)?.failure == nil {
      note("\(input) is sent before \(other)")
    }
    change(input.number) {
      ($0.sentContent, $0.sentKey) = (input.number, key)
      $0.sendingCount += 1
    }
  }

  private func isDue(_ earlier: Deed, before deed: Deed) -> Bool {
    if earlier.isTakenBack || earlier.isRefused || earlier.isLeft { return false }
    return earlier.row == deed.row && earlier.place < deed.place && earlier.orderedSince < deed.chosenAt
      && !earlier.isUnordered && !deed.isUnordered
  }

  func forbids(_ input: Edit) {
    if let id = deedOfInput[input.number] { conceal(id) }
    change(input.number) { deed in
      deed.isForbidden = true
      deed.orderedSince = .max
    }
  }

  func isAnswered(_ input: Edit, by outbox: Int) {
    guard let id = deedOfInput[input.number] else { return }
    everAnswered.insert(id)
    if let index = displayed.firstIndex(where: { $0.deed == id && !$0.isAnswered }) {
      let (deed, input, _) = displayed.remove(at: index)
      displayed.insert((deed, input, true), at: displayed.count(where: \.isAnswered))
    }
    change(input.number) { $0.isAnswered = true }
    if input.isCreation { answeredRows[input.row] = outbox }
  }

  // MARK: At rest

  /// - Parameter aside: The keys that the outbox displays as set aside.
  func difference(_ entries: [StoredEntry<Edit>], _ state: OutboxState, _ shown: [OutboxEntry<Edit>]) -> String? {
    let (aside, waiting) = (entries.filter { $0.failure != nil }, entries.filter { $0.failure == nil })
    if let entry = waiting.first { return "\(entry.input) still waits" }
    if state.waitingCount != 0 { return "\(state.waitingCount) are said to wait" }
    if shown.map(\.key) != aside.map(\.key) || state.failedCount != aside.count {
      return "\(shown.map(\.input)) are said to have failed, the store has \(aside.map(\.input))"
    }
    for (id, deed) in deeds.sorted(by: { $0.key < $1.key }) {
      if deed.isTakenBack || deed.isAnswered || deed.isLeft || stored(id) != nil { continue }
      if deed.isAccepted { return "\(id) is lost" }
      if !deed.isRefused { return "\(id) was neither stored nor refused" }
    }
    return nil
  }
}
