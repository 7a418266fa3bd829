// SPDX-License-Identifier: MIT
/// The actor that models and their systems live on. Its turns can be waited for.
@globalActor
actor ModelActor {
  static let shared = ModelActor()
  private static let executor = IdleExecutor()
  private static let wayBack = IdleExecutor.WayBack(to: executor)

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    Self.executor.asUnownedSerialExecutor()
  }

  /// Suspends until all that a task of `task(_:)` can do has been done, and all tasks have begun.
  ///
  /// Other tasks that resume come back by a way of their own. They are to be waited for by what they do.
  @ModelActor static func idle() async {
    await executor.idle(isolation: shared)
  }

  /// A task that does not leave the executor, wherever it suspends.
  @ModelActor @discardableResult
  static func task<Result: Sendable>(_ body: @escaping @ModelActor () async -> Result) -> Task<Result, Never> {
    Task(executorPreference: wayBack) { await body() }
  }

  /// Does `body` in the calling task, which does not leave the executor meanwhile.
  @ModelActor static func stay<Result>(_ body: () async -> Result) async -> Result {
    await withTaskExecutorPreference(wayBack, operation: body)
  }
}
