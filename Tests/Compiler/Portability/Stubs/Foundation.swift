// SPDX-License-Identifier: MIT
// What the library's tests, and the module for users' tests, use of Foundation.

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

public struct Data: Sendable {
  public init<Bytes: Sequence>(_ bytes: Bytes) where Bytes.Element == UInt8 {}
}

public final class FileHandle: Sendable {
  public static let standardError = FileHandle()
  public func write(_ data: Data) {}
}
