// SPDX-License-Identifier: MIT
/// Decides about a call of ``AsyncMutation/perform(_:isolation:)`` while an input of its lane is being sent.
public struct MutationOverlap<Input> {
  /// True if the newest input takes the place of the one that is being sent.
  let replaces: Bool
  /// Returns true if two inputs are the same, so that the second one is not sent; nil: no two are.
  let isEqual: ((Input, Input) -> Bool)?

  /// The default: `join` if inputs can be compared, or if there is no input, and ``queue`` otherwise. The type decides,
  /// when the mutation is created.
  public static var automatic: MutationOverlap { MutationOverlap(replaces: false, isEqual: sameness) }

  /// The input waits for its turn. Inputs are sent one after another, in order.
  public static var queue: MutationOverlap { MutationOverlap(replaces: false, isEqual: nil) }

  /// The input supersedes the one that is being sent, which the server may already have done. An equal one joins it, if inputs
  /// can be compared.
  public static var replace: MutationOverlap {
    MutationOverlap(replaces: true, isEqual: equality(of: Input.self))
  }

  private static var sameness: ((Input, Input) -> Bool)? {
    Input.self == Void.self ? { _, _ in true } : equality(of: Input.self)
  }
}

extension MutationOverlap where Input: Equatable {
  /// An input that is equal to the last one of its lane joins that, and is not sent: a double tap. Another one waits for its
  /// turn, so that of *on, off, on* each is sent, and the last one wins.
  public static var join: MutationOverlap { MutationOverlap(replaces: false, isEqual: ==) }
}

extension MutationOverlap where Input == Void {
  /// The call joins the one that is being sent, and sends nothing: a double tap.
  public static var join: MutationOverlap { automatic }
}
