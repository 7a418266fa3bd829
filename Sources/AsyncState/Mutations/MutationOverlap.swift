// SPDX-License-Identifier: MIT
/// Decides about a call of ``AsyncMutation/perform(_:isolation:)`` while an input of its lane is being sent.
///
/// The default is `join` if inputs can be compared, and ``queue`` otherwise.
public struct MutationOverlap<Input> {
  /// True if the newest input takes the place of the one that is being sent.
  let replaces: Bool
  /// Returns true if two inputs are the same, so that the second one is not sent; nil: no two are.
  let isEqual: ((Input, Input) -> Bool)?

  /// The input waits for its turn. Inputs are sent one after another, in order.
  public static var queue: MutationOverlap { MutationOverlap(replaces: false, isEqual: nil) }

  /// The input supersedes the one that is being sent, which the server may already have done.
  public static var replace: MutationOverlap { MutationOverlap(replaces: true, isEqual: nil) }
}

extension MutationOverlap where Input: Equatable {
  /// An input that is equal to the last one of its lane joins that, and is not sent: a double tap. Another one waits for its
  /// turn, so that of *on, off, on* each is sent, and the last one wins.
  public static var join: MutationOverlap { MutationOverlap(replaces: false, isEqual: ==) }

  /// The input supersedes the one that is being sent, which the server may already have done. An equal one joins it.
  public static var replace: MutationOverlap { MutationOverlap(replaces: true, isEqual: ==) }
}

extension MutationOverlap where Input == Void {
  /// The call joins the one that is being sent, and sends nothing: a double tap.
  public static var join: MutationOverlap { MutationOverlap(replaces: false) { _, _ in true } }
}
