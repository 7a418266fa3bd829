// SPDX-License-Identifier: MIT
/// Decides what a call of ``AsyncMutation/perform(_:isolation:)`` does while an input of its lane is being sent.
///
/// The default is ``join-8diyy`` where inputs can be compared, and ``queue`` elsewhere.
public struct MutationOverlap<Input> {
  /// The newest input takes the place of the one that is sent.
  let replaces: Bool
  /// Whether two inputs are the same, so that the second one is not sent; nil: no two are.
  let isEqual: ((Input, Input) -> Bool)?

  /// It waits for its turn. Inputs are sent one after another, in order.
  public static var queue: MutationOverlap { MutationOverlap(replaces: false, isEqual: nil) }

  /// It supersedes the one that runs, which the server may have done by then.
  public static var replace: MutationOverlap { MutationOverlap(replaces: true, isEqual: nil) }
}

extension MutationOverlap where Input: Equatable {
  /// An input that is equal to the last one of its lane joins that, and is not sent: a double tap. Another one waits for its
  /// turn, so that of *on, off, on* each is sent, and the last one wins.
  public static var join: MutationOverlap { MutationOverlap(replaces: false, isEqual: ==) }

  /// It supersedes the one that runs, which the server may have done by then. One that is equal to that joins it.
  public static var replace: MutationOverlap { MutationOverlap(replaces: true, isEqual: ==) }
}

extension MutationOverlap where Input == Void {
  /// It joins the one that runs, and is not sent: a double tap.
  public static var join: MutationOverlap { MutationOverlap(replaces: false) { _, _ in true } }
}
