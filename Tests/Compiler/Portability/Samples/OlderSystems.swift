// SPDX-License-Identifier: MIT
// compiled for watchOS 10.0: what the first version was to run on, and could not.

import Synchronization

func asksTheNewest(_ stream: AsyncStream<Int>) async {
  var iterator = stream.makeAsyncIterator()
  _ = await iterator.next(isolation: #isolation)  // expected: only available in watchOS 11.0
}

final class Counted: Sendable {
  let count = Atomic<Int>(0)  // expected: only available in watchOS 11.0
}

func prefers(_ executor: any TaskExecutor) {}  // expected: only available in watchOS 11.0
