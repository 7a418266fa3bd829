// SPDX-License-Identifier: MIT
import Foundation
import Synchronization

/// Thrown by the store of an outbox at its first use while another process uses it.
public struct StoreInUse: Error, CustomStringConvertible {
  /// The path of its file.
  public let path: String

  /// The error in words.
  public var description: String { "the outbox at \(path) is used by another process" }
}

/// The right of this process to use the store of an outbox. The system takes it back when the process dies.
///
/// It is one for all stores of a path in the process: of these an outbox takes over from the one before.
final class ProcessLock: Sendable {
  private struct Reference {
    weak var lock: ProcessLock?
  }

  private static let all = Mutex<[String: Reference]>([:])

  private let descriptor: Int32

  private init(_ path: String) throws {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let isInUse = errno == EWOULDBLOCK
      close(descriptor)
      throw isInUse ? StoreInUse(path: path) : POSIXError(.EIO)
    }
  }

  deinit { close(descriptor) }

  /// - Parameter path: The file that is locked, which is made if need be. It is never replaced: the lock is on the file.
  static func take(_ path: String) throws -> ProcessLock {
    try all.withLock { all in
      all = all.filter { $0.value.lock != nil }
      if let lock = all[path]?.lock { return lock }
      let lock = try ProcessLock(path)
      all[path] = Reference(lock: lock)
      return lock
    }
  }
}
