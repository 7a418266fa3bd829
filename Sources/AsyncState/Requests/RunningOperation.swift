// SPDX-License-Identifier: MIT
/// The operations that the current task is a part of. In debug builds an operation that awaits its own load is noticed by it.
@usableFromInline
struct RunningOperation: Sendable {
  #if DEBUG
    /// A structure, because a task-local value of a function type crashes in release builds.
    @TaskLocal private static var current: RunningOperation?

    /// The innermost ones; a chain of operations may be long.
    private let loads: [LoadMark]

    /// Makes a task that runs the operation of a load.
    static func begin(_ load: LoadMark, _ makeTask: () -> Void) {
      let outer = current?.loads.suffix(31) ?? []
      $current.withValue(RunningOperation(loads: outer + [load]), operation: makeTask)
    }

    /// Says that the operation of a load awaits this load, if the current task shows it.
    static func noteAwaited(_ load: LoadMark) {
      guard let current, current.loads.contains(where: { $0 === load }) else { return }
      AsyncStateWarnings.warn(
        """
        AsyncState: an operation awaits its own load, perhaps through another one. It ends by its timeout, if it has one, and else \
        only by a cancel. Get what the operation needs from something that does not need its value.
        """)
    }
  #endif

  /// Calls observers, or begins work for several calls, outside of the operation that runs in this task.
  @usableFromInline
  static func outside(_ body: () -> Void) {
    LetIn.none {
      #if DEBUG
        if current == nil { body() } else { $current.withValue(nil, operation: body) }
      #else
        body()
      #endif
    }
  }
}

#if DEBUG
  /// Names a load in the tasks of its operation, which do not hold it.
  final class LoadMark: Sendable {}
#endif
