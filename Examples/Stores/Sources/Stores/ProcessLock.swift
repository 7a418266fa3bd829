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
  private struct Held {
    let descriptor: Int32
    var count = 1
  }

  // Counted, and not weak: the last one may be on its way to its end on another thread, with the file still locked.
  private static let all = Mutex<[String: Held]>([:])

  private let path: String

  private init(_ path: String) { self.path = path }

  deinit {
    Self.all.withLock { all in
      all[path]?.count -= 1
      guard let held = all[path], held.count == 0 else { return }
      // Closing alone is not enough while another thread starts a program: until that runs, it has the file, too.
      flock(held.descriptor, LOCK_UN)
      close(held.descriptor)
      all[path] = nil
    }
  }

  /// - Parameter path: The file that is locked, which is made if need be. It is never replaced: the lock is on the file.
  static func take(_ path: String) throws -> ProcessLock {
    try all.withLock { all in
      if all[path] == nil { all[path] = Held(descriptor: try lockedFile(path)) } else { all[path]?.count += 1 }
    }
    return ProcessLock(path)
  }

  private static func lockedFile(_ path: String) throws -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let isInUse = errno == EWOULDBLOCK
      close(descriptor)
      throw isInUse ? StoreInUse(path: path) : POSIXError(.EIO)
    }
    return descriptor
  }
}
