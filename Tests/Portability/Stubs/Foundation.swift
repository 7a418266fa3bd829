// SPDX-License-Identifier: MIT
// What the library's tests use of Foundation.

public final class NSLock: Sendable {
  public init() {}
  public func lock() {}
  public func unlock() {}
  public func withLock<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
}

public final class ProcessInfo: Sendable {
  public static let processInfo = ProcessInfo()
  public var environment: [String: String] { [:] }
}
