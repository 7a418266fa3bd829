// SPDX-License-Identifier: MIT
/// Decides what a call of ``AsyncMutation/perform(_:isolation:)`` does while an input is being sent.
public enum MutationOverlap: Hashable, Sendable {
  /// An input that is equal to one that runs or waits joins that, and is not sent: a double tap. Another one waits for its
  /// turn. Of a type that is not `Equatable`, every input joins the one that runs.
  case join
  /// It waits for its turn. Inputs are sent one after another, in order.
  case queue
  /// It supersedes the one that runs, which the server may have done by then.
  case replace
}
