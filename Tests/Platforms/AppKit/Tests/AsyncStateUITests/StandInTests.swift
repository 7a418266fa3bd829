// SPDX-License-Identifier: MIT
import Testing

/// All tests that use the stand-in, one after another: there is one screen, which
/// displays each status at once.
@Suite(.serialized, .unpaced)
enum StandInTests {}
