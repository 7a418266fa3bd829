// SPDX-License-Identifier: MIT
// A reporter is used where the load runs.

import AsyncState

@MainActor
func download(_ file: AsyncData<String>) {
  file.start { (reporter: LoadReporter<String>) in
    // expected-error: passing closure as a 'sending' parameter risks causing data races
    Task.detached {
      reporter.report(progress: 0.5)
    }
    return "file"
  }
}
