// SPDX-License-Identifier: MIT
// Progress arrives on another actor: it has to be brought back before it is reported.

import AsyncState

actor Downloader {
  func download(progress: @escaping @Sendable (Double) -> Void) -> String {
    progress(1)
    return "file"
  }
}

@MainActor
func download(_ file: AsyncData<String>, with downloader: Downloader) {
  file.start { (reporter: LoadReporter<String>) in
    await downloader.download { progress in
      // expected-error: capture of 'reporter' with non-Sendable type 'LoadReporter<String>' in a '@Sendable' closure
      reporter.report(progress: progress)
    }
  }
}
