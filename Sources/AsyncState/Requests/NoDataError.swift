// SPDX-License-Identifier: MIT
/// Thrown when a resource has answered that there is no data. An operation of another resource that throws it answers the
/// same: there is none.
public struct NoDataError: Error, Hashable {
  /// An error without details.
  public init() {}
}
