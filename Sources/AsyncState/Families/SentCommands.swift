// SPDX-License-Identifier: MIT
/// The commands that are being sent, and the tags that wait for some of them: several commands beside each other for one tag
/// lead to one request, when the last of those has ended that were being sent at the first success.
struct SentCommands {
  /// The tags of those that are being sent, looked up when another one has ended.
  private var sent: [Int: () -> Set<AsyncTag>] = [:]
  /// The tags that were invalidated and are not requested yet, each with the commands that are awaited.
  private var awaited: [AsyncTag: Set<Int>] = [:]
  private var lastNumber = 0

  /// True if a tag waits for a command.
  var isHolding: Bool { !awaited.isEmpty }

  /// True if the request for one of these tags waits for a command.
  func isAwaited(_ tags: Set<AsyncTag>) -> Bool { tags.contains { awaited[$0] != nil } }

  /// A command is being sent.
  ///
  /// - Parameter tags: Returns the tags that it may invalidate.
  /// - Returns: Its number.
  mutating func begin(_ tags: @escaping () -> Set<AsyncTag>) -> Int {
    lastNumber += 1
    sent[lastNumber] = tags
    return lastNumber
  }

  /// The tags of all that are being sent. Calls code of the user's.
  var tags: [Int: Set<AsyncTag>] { sent.mapValues { $0() } }

  /// A command has ended.
  ///
  /// - Returns: The tags that were invalidated before, and are requested now.
  mutating func end(_ number: Int) -> Set<AsyncTag> {
    sent[number] = nil
    var due: Set<AsyncTag> = []
    for tag in Array(awaited.keys) where awaited[tag]?.remove(number) != nil {
      guard awaited[tag]?.isEmpty == true else { continue }
      awaited[tag] = nil
      due.insert(tag)
    }
    return due
  }

  /// These tags are invalidated because of a command. They are requested at once, unless others that may invalidate them are
  /// being sent. Those that begin later are not awaited, so that there is an end.
  ///
  /// - Parameters:
  ///   - due: Those that were awaited until now: they are not awaited again.
  ///   - others: The tags of those that are being sent.
  mutating func hold(_ tags: Set<AsyncTag>, except due: Set<AsyncTag>, for others: [Int: Set<AsyncTag>]) {
    for tag in tags where !due.contains(tag) && awaited[tag] == nil {
      let numbers = others.filter { $0.value.contains(tag) && sent[$0.key] != nil }.keys
      if !numbers.isEmpty { awaited[tag] = Set(numbers) }
    }
  }

  /// These tags are requested without waiting for a command.
  mutating func request(_ tags: some Sequence<AsyncTag>) {
    if !awaited.isEmpty { for tag in tags { awaited[tag] = nil } }
  }
}
