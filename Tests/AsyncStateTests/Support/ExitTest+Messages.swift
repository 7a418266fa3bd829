// SPDX-License-Identifier: MIT
import Testing

// Exit tests are only where processes can be started.
#if os(macOS) || os(Linux) || os(Windows)
  extension ExitTest.Result {
    /// What the process wrote to its standard error, if that was observed.
    var errorText: String { String(decoding: standardErrorContent, as: UTF8.self) }

    /// What the process wrote to its standard output, if that was observed.
    var outputText: String { String(decoding: standardOutputContent, as: UTF8.self) }
  }
#endif
