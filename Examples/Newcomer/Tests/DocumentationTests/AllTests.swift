// SPDX-License-Identifier: MIT
import Testing

/// The suites of the samples are extensions of this one.
@Suite struct AllTests {}
