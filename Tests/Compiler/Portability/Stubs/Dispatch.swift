// SPDX-License-Identifier: MIT
// What the library's tests use of Dispatch.

public final class DispatchQueue: Sendable {
  public static func global() -> DispatchQueue { DispatchQueue() }
  public func async(execute work: @escaping @Sendable () -> Void) {}
}
