// SPDX-License-Identifier: MIT
/// Decides what a call of ``AsyncMutation/perform(_:isolation:)`` does while another input is being sent.
public enum MutationOverlap: Hashable, Sendable {
  /// It joins the one that runs: its input is not sent.
  case ignore
  /// It waits for its turn. Inputs are sent one after another, in order.
  case queue
  /// It supersedes the one that runs, which the server may have done by then.
  case replace
}
