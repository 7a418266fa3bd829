// Running an operation: once, or as often as its policy wants and its time allows.

extension LoadTask {
  /// Calls the operation on the owner's actor, when that is free. Not if the load does not count any more by then.
  @inlinable
  func run(_ operation: @escaping () async throws -> Value?, isolation: isolated any Actor) {
    task = Task {
      _ = isolation
      guard data != nil else { return }
      do { succeed(with: try await operation()) } catch { end(throwing: error) }
    }
  }

  /// Calls the operation on the owner's actor, again and again, until it answers, the policy gives up, the time is up,
  /// or the load does not count any more.
  @usableFromInline
  func run(
    _ operation: @escaping () async throws -> Value?, retry: RetryPolicy, timeout: Duration?,
    isolation: isolated any Actor
  ) {
    guard let timeline = data?.timeline else { return }
    let deadline = timeout.map { timeline.now + $0.bounded }
    task = Task {
      _ = isolation
      guard data != nil else { return }
      // A timer of its own, because the operation may be deaf; but what is too late already is not begun.
      if let deadline {
        if timeline.now >= deadline { return fail(with: LoadTimeout()) }
        startTimer(until: deadline, on: timeline, isolation: isolation)
      }
      await attempt(operation, retry: retry, on: timeline)
    }
  }

  private func startTimer(until deadline: Duration, on timeline: Timeline, isolation: isolated any Actor) {
    timer = Task {
      _ = isolation
      guard (try? await timeline.sleep(until: deadline)) != nil else { return }
      task?.cancel()
      fail(with: LoadTimeout())
    }
  }

  private func attempt(
    _ operation: () async throws -> Value?, retry: RetryPolicy, on timeline: Timeline
  ) async {
    var failures = 0
    while data != nil {
      do {
        return succeed(with: try await operation())
      } catch {
        failures += 1
        guard data != nil, !(error is CancellationError), let delay = retry.delay?(failures, error) else {
          return end(throwing: error)
        }
        data?.noteFailure(error, failures: failures)
        guard (try? await timeline.sleep(until: timeline.now + delay.bounded)) != nil else { return cancel() }
      }
    }
  }
}
