// SPDX-License-Identifier: MIT
// A policy is a plain value that any actor may use, so it keeps nothing that changes.

import AsyncState

final class Failures {
  var count = 0
}

func patient(_ failures: Failures) -> RetryPolicy {
  RetryPolicy { _ in
    // expected-error: capture of 'failures' with non-Sendable type 'Failures' in a '@Sendable' closure
    failures.count += 1
    return failures.count < 5 ? .seconds(1) : nil
  }
}
