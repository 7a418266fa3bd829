// SPDX-License-Identifier: MIT
/// Decides about a call of ``AsyncMutation/perform(_:isolation:)`` while an input of its lane is on its way.
public enum MutationOverlap: Hashable, Sendable {
  /// The default: an input that is equal to the last one of its lane joins that, and is not sent: a double tap. Another one waits
  /// for its turn, so that of *on, off, on* each is sent, and the last one wins. Where inputs cannot be compared this is
  /// ``queue``. The type decides, when the mutation is created; calls without an input are equal.
  case automatic

  /// Each input is sent, one after another, in order: for chats, counters and carts, where two equal inputs are two.
  case queue

  /// Of the inputs that wait, the newest is sent, and the others are superseded: for a form that saves itself. What is being sent
  /// continues. An input that is equal to the last one of its lane joins that, if inputs can be compared.
  case latest

  /// Returns true if two inputs are the same, so that the second one is not sent; nil: no two are.
  func sameness<Input>(of type: Input.Type) -> ((Input, Input) -> Bool)? {
    if self == .queue { return nil }
    return Input.self == Void.self ? { _, _ in true } : equality(of: Input.self)
  }
}
