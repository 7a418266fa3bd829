// SPDX-License-Identifier: MIT
extension Comparison {
  /// A container with one child gets its four life-cycle calls.
  public static let appearing = Comparison(
    "appear and disappear",
    [
      Contender(.asyncState) { AppearingContainer(.counting()) },
      Contender(.byHand) { HandWrittenAppearance(.counting()) },
    ])

  /// Two children for two others, of which one is in both states; beside one child for another.
  public static let sharedChild = Comparison(
    "two children, one stays",
    [
      Contender(.asyncState) { SwitchingContainer(.sharedChild) },
      Contender(.simplerCase) { SwitchingContainer(.oneForAnother) },
    ])

  /// A child for none and back, beside one child for another.
  public static let childForNone = Comparison(
    "a child for none",
    [
      Contender(.asyncState) { SwitchingContainer(.oneForNone) },
      Contender(.simplerCase) { SwitchingContainer(.oneForAnother) },
    ])

  /// One child for another in a container that is not visible, beside one that is.
  public static let unseen = Comparison(
    "one for another, while gone",
    [
      Contender(.asyncState) { SwitchingContainer(.oneForAnother, isVisible: false) },
      Contender(.simplerCase) { SwitchingContainer(.oneForAnother) },
    ])

  /// An animated transition of children that have a say in it, beside one that is not animated.
  public static let animated = Comparison(
    "animated, children that take part",
    [
      Contender(.asyncState) { SwitchingContainer(.transitioning, isAnimated: true) },
      Contender(.simplerCase) { SwitchingContainer(.oneForAnother) },
    ])
}
