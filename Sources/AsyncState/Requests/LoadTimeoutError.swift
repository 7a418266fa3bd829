// SPDX-License-Identifier: MIT
/// Thrown when a load does not finish in time, or a stream has been silent for too long.
public struct LoadTimeoutError: Error, Hashable {
  /// A timeout without details.
  public init() {}
}
