// SPDX-License-Identifier: MIT
/// The condition under which a load is made.
public enum LoadCondition: Hashable, Sendable {
  /// Always: the default.
  case always

  /// Only if the data is stale, by ``AsyncData/isStale``.
  case stale
}
