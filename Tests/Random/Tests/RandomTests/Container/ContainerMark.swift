// SPDX-License-Identifier: MIT
@testable import AsyncState

/// A call of a container, with the flag of each call that has one.
///
/// Not a `Recorder`'s: a model says the same in values, and its laws read them.
enum ContainerMark: Equatable {
  case initialState
  case will(Int, Bool)
  case did(Int?, Bool)
  case children(Int)
  case arranged([Int])
  case attach(AttachCall, Int)
  case appear(LifecycleCall, Int, Bool)
  /// The same call to the delegate.
  case delegateAppear(LifecycleCall, Int, Bool)
  case animation(AnimationCall, Int, isAppearing: Bool)

  enum AttachCall { case willAttach, didAttach, willDetach, didDetach }
  enum AnimationCall { case begin, time, wait, move, end }

  /// Every other child has a say in its animation.
  static func hasSay(_ child: Int) -> Bool { child % 2 == 1 }
}
