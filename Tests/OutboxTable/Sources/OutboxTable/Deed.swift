// SPDX-License-Identifier: MIT
// What a person, a server and a store know of an input, to compare the table with.

/// What became of an input.
struct Deed: Hashable {
  var isPerformed = false
  /// The store has said that it has it, and it has no end.
  var isAccepted = false
  /// A call has said that the store has it.
  var isStored = false
  /// It has an end in this process, which the store may not know.
  var isOver = false
  /// The store has said that it does not have it any more.
  var isGone = false
  var isSetAside = false
  /// It was to wait again after that.
  var wasPutBack = false
  /// Its operation runs.
  var isRunning = false
  var sent = 0
  /// The number of attempts that this process knows of.
  var known = 0
  /// The attempts that the store could not count.
  var uncounted = 0
  /// The store has it in a form that this version cannot decode, so its lane is not known.
  var isUnreadable = false
  /// What may be sent.
  var contents: Set<Int> = []
  var isReplacing = false
  /// The number of the replacement that the store has said that it has: nothing else may be sent, and what is put back is this.
  var replacement = 0
  /// That of the first attempt: the server takes another input under the same key for a repetition.
  var sentReplacement: Int?
  /// The server has given it another content: it must not be in the store without that when the answered one is not there.
  var isRewritten = false
}

/// The store works on it.
enum Flight: Hashable {
  case clear, read
  case save([StoredEntry<Int>], Set<String>)
}

enum Event {
  case perform(Int), retry(Int), withdraw(Int), discard(Int), replace(Int), discardAll, wake, inherit
  case begin(String), count(Int), make(Int), answer(Int), fail(Int), refuse(Int)
  /// The store is called, and has done it or not, and throws or not.
  case call, end(isDone: Bool, isThrowing: Bool), cannotEncode
  /// - Parameter unreadable: The input that this version of the app cannot decode.
  case read(unreadable: Int?), notRead
  case kill(isDone: Bool)
  /// The next outbox of the process takes the store over: it is given inputs if it is one of the same actor.
  case handOver(isSameActor: Bool)
}

/// Inputs 0 and 1 are of lane a, 2 of lane b. The answer to 0 rewrites the others of its lane: they are of lane b then. A thousand
/// more is a replacement, of which 1 has two; those of 1 are of lane b, too.
enum Content {
  static func lane(_ input: Int) -> String {
    input % 10 == 2 || hasMoved(input) ? "b" : "a"
  }
  /// True if it is of another lane than when it was performed.
  static func hasMoved(_ input: Int) -> Bool { isRewritten(input) || isReplaced(input) && input % 10 == 1 }
  static func isRewritten(_ input: Int) -> Bool { input % 1000 >= 100 }
  static func rewritten(_ input: Int) -> Int { isRewritten(input) ? input : input + 100 }
  static func isReplaced(_ input: Int) -> Bool { input >= 1000 }
  static func replacement(_ input: Int) -> Int { input / 1000 }
}
