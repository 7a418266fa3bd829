// SPDX-License-Identifier: MIT
import Testing

/// All suites are extensions of this one, which limits the time of each test and drops warnings. None has an attribute of its own: the compiler
/// expands each `@Suite` again in every batch of files, which took four seconds a batch.
@Suite(.timeLimit(Soak.limit), .withoutWarnings)
enum AllTests {}
