// SPDX-License-Identifier: MIT
// What watchOS 11 and its contemporaries have, and what they have not.

import Observation
import Synchronization

func makesAnAsyncSequenceOfChanges() {
  _ = Observations { 3 }  // expected: only available in watchOS 26.0
}

func beginsATaskAtOnce() {
  Task.immediate {}  // expected: only available in watchOS 26.0
}

func beginsATaskAtOnceWhereThatCanBe() {
  if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { Task.immediate {} }
}

func asksTheNewest(_ stream: AsyncStream<Int>) async {
  var iterator = stream.makeAsyncIterator()
  _ = await iterator.next(isolation: #isolation)
}

final class Counted: Sendable {
  let count = Atomic<Int>(0)
}

func holdsWithALock() -> Int {
  let count = Mutex(0)
  return count.withLock { $0 }
}

@Observable
final class Model {
  var name = ""
}
