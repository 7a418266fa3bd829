// SPDX-License-Identifier: MIT
import Synchronization

/// Releases what may hold a long chain: the graph's own references, and closures that hold values or tokens.
///
/// What is released may hold the last reference to something that is released in the same way, and so on. Swift releases
/// one inside the other; the stack of an actor has room for some thousand. So the innermost of a few nested releases
/// carries out the rest in a loop.
enum Disposal {
  /// How many releases may be nested, on all threads together, before they use a list. The number only saves time: the
  /// list is safe from the first one on.
  private static let limit = 16

  private static let depth = Atomic(0)

  /// Gives up one count of an object: before this returns, or, from deep inside of other releases, before these return.
  ///
  /// Any thread.
  static func release<Object>(_ reference: Reference<Object>) {
    if depth.add(1, ordering: .relaxed).newValue <= limit {
      reference.release()
    } else {
      List.release(reference.taken())
    }
    depth.subtract(1, ordering: .relaxed)
  }

  /// What one thread has yet to release.
  ///
  /// It is found through a task-local value, which a thread has also where no task runs. A task that is started by a
  /// `deinit` inherits the value, but runs elsewhere. So a list belongs to one task, and is closed at its end. As long as
  /// it is open that task is alive and suspended nowhere, so that no other task has its identity, and only one thread
  /// runs it: this says where the list is, though it would not say which actor that is.
  private final class List: Sendable {
    @TaskLocal private static var current: List?

    private let task = identityOfTask()

    /// Read by the tasks that have inherited the list, which may have the identity of one that has ended.
    private let isOpen = Atomic(true)

    // Justified: only touched while the list is open, by code of its task, or by the one thread that has the list and no
    // task.
    private nonisolated(unsafe) var objects: [AnyObject] = []

    static func release(_ object: consuming AnyObject) {
      if let current, current.task == identityOfTask(), current.isOpen.load(ordering: .acquiring) {
        return current.objects.append(object)
      }
      let list = List()
      list.objects.append(object)
      $current.withValue(list) {
        while list.objects.popLast() != nil {}
      }
      list.isOpen.store(false, ordering: .releasing)
    }

    private static func identityOfTask() -> Int? {
      withUnsafeCurrentTask { $0?.hashValue }
    }
  }
}
