// SPDX-License-Identifier: MIT
/// Decides about a call of ``AsyncMutation/perform(_:isolation:)`` while an input of its lane is on its way.
public struct MutationOverlap<Input> {
  /// True if the newest input takes the place of those that wait.
  let isLatest: Bool
  /// Returns true if two inputs are the same, so that the second one is not sent; nil: no two are.
  let isEqual: ((Input, Input) -> Bool)?

  /// The default: an input that is equal to the last one of its lane joins that, and is not sent: a double tap. Another one waits
  /// for its turn, so that of *on, off, on* each is sent, and the last one wins. Where inputs cannot be compared this is
  /// ``queue``. The type decides, when the mutation is created; calls without an input are equal.
  public static var automatic: MutationOverlap { MutationOverlap(isLatest: false, isEqual: sameness) }

  /// Each input is sent, one after another, in order: for chats, counters and carts, where two equal inputs are two.
  public static var queue: MutationOverlap { MutationOverlap(isLatest: false, isEqual: nil) }

  /// Of the inputs that wait, the newest is sent, and the others are superseded: for a form that saves itself. What is being sent
  /// continues. An input that is equal to the last one of its lane joins that, if inputs can be compared.
  public static var latest: MutationOverlap { MutationOverlap(isLatest: true, isEqual: sameness) }

  private static var sameness: ((Input, Input) -> Bool)? {
    Input.self == Void.self ? { _, _ in true } : equality(of: Input.self)
  }
}
