// SPDX-License-Identifier: MIT
/// What one operation took, one contender's way.
struct Reading {
  /// The median over all rounds.
  let nanoseconds: Double
  /// How many blocks were requested from the heap, in the steady state.
  let allocations: Double
}
