// SPDX-License-Identifier: MIT
// Conditions that are combined, for gates and boards: `isOnline && !isInBackground`.

extension Observed where Value == Bool {
  /// Whether both conditions hold. Both are followed.
  public static func && (left: Observed, right: Observed) -> Observed<Bool> { left.zip(right).map { $0 && $1 } }

  /// Whether at least one of the conditions holds. Both are followed.
  public static func || (left: Observed, right: Observed) -> Observed<Bool> { left.zip(right).map { $0 || $1 } }

  /// Whether the condition does not hold.
  public static prefix func ! (condition: Observed) -> Observed<Bool> { condition.map { !$0 } }
}
