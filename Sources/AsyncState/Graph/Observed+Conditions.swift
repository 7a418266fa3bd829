// SPDX-License-Identifier: MIT
// Combined conditions for gates and boards, such as `isOnline && !isInBackground`.

extension Observed where Value == Bool {
  /// True while both conditions hold. Both are followed.
  public static func && (left: Observed, right: Observed) -> Observed<Bool> { left.zip(right).map { $0 && $1 } }

  /// True while at least one of the conditions holds. Both are followed.
  public static func || (left: Observed, right: Observed) -> Observed<Bool> { left.zip(right).map { $0 || $1 } }

  /// True while the condition does not hold.
  public static prefix func ! (condition: Observed) -> Observed<Bool> { condition.map { !$0 } }
}
