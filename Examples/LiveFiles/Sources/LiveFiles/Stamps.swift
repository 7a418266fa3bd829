// SPDX-License-Identifier: MIT
import Synchronization

/// What the paths that a visitor displays were read from, so that a change is noticed whenever it has happened.
final class Stamps: Sendable {
  private let stamps = Mutex<[Path: Int]>([:])

  /// The first stamp counts until the disk has another one: what was read before a change is older than what is read after it.
  func note(_ path: Path, _ stamp: Int) { stamps.withLock { if $0[path] == nil { $0[path] = stamp } } }

  /// The paths, of those that were read, that differ on the disk; from then on they differ when they change again.
  func changes(of paths: [Path], on disk: [Path: Int]) -> [Path] {
    stamps.withLock { stamps in
      paths.filter { path in
        guard let stamp = disk[path], let former = stamps[path], stamp != former else { return false }
        stamps[path] = stamp
        return true
      }
    }
  }
}
