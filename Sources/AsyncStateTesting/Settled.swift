// SPDX-License-Identifier: MIT
public import AsyncState

extension AsyncData {
  /// Suspends until nothing is left that could change the data, or the calling task is cancelled.
  ///
  /// When this returns, no load is running, and every operation that was ever started has returned, those of superseded
  /// and cancelled loads included; no waiting load, page request or commit is left. It does not depend on the actor
  /// that an operation runs on, nor on compiler flags:
  ///
  /// ```swift
  /// server.answer(call: 1, with: .success(["Rain", "Sun"]))
  /// await data.settled()
  /// #expect(data.value == ["Rain", "Sun"])
  /// ```
  ///
  /// An operation that waits at a ``ManualServer`` must have its answer, or be cancelled at one that regards cancellation.
  /// While an older operation still waits, use ``loadEnded(isolation:)`` to wait for the current load alone.
  ///
  /// - Parameter isolation: The actor that the data belongs to.
  public func settled(isolation: isolated any Actor = #isolation) async {
    await reminding(of: self, isolation) { await untilSettled(isolation: isolation) }
  }

  /// Suspends until so many calls wait for the load that is running, or for the one behind it; or the calling task is
  /// cancelled.
  ///
  /// The first call makes the request, each further one joins it and makes none, so that a server does not notice it:
  ///
  /// ```swift
  /// let list = Task { try await article.get() }
  /// await article.awaited(by: 1)
  /// let detail = Task { try await article.get() }
  /// await article.awaited(by: 2)
  /// ```
  ///
  /// Calls of `load` and `get` are counted, until they end or their tasks are cancelled. A handle that `start` returns
  /// is not: when `start` has returned, the request is made or joined.
  ///
  /// - Parameters:
  ///   - count: The number of calls.
  ///   - isolation: The actor that the data belongs to.
  public func awaited(by count: Int, isolation: isolated any Actor = #isolation) async {
    await reminding(of: self, isolation, "\(count == 1 ? "a call" : "\(count) calls") of load or get that wait for") {
      await untilAwaited(by: count, isolation: isolation)
    }
  }

  /// Suspends until no load is running, or the calling task is cancelled. Operations of superseded and cancelled loads
  /// may still run.
  ///
  /// - Parameter isolation: The actor that the data belongs to.
  public func loadEnded(isolation: isolated any Actor = #isolation) async {
    await reminding(of: self, isolation) {
      for await isRunning in observed.map(\.isRunning).values where !isRunning { return }
    }
  }
}

extension AsyncHost {
  /// Suspends until nothing is left that could change the host's data, or the calling task is cancelled; as
  /// ``AsyncState/AsyncData/settled(isolation:)``.
  ///
  /// - Parameter isolation: The actor that the host belongs to.
  public func settled(isolation: isolated any Actor = #isolation) async {
    await reminding(of: self, isolation) { await untilSettled(isolation: isolation) }
  }
}

extension AsyncResource {
  /// Suspends until nothing is left that could change the resource's data, or the calling task is cancelled; as
  /// ``AsyncState/AsyncData/settled(isolation:)``.
  ///
  /// - Parameter isolation: The actor that the resource belongs to.
  public func settled(isolation: isolated any Actor = #isolation) async {
    await data.settled(isolation: isolation)
  }

  /// Suspends until so many calls wait for the load that is running, or the calling task is cancelled; as
  /// ``AsyncState/AsyncData/awaited(by:isolation:)``.
  ///
  /// - Parameters:
  ///   - count: The number of calls.
  ///   - isolation: The actor that the resource belongs to.
  public func awaited(by count: Int, isolation: isolated any Actor = #isolation) async {
    await data.awaited(by: count, isolation: isolation)
  }
}

extension AsyncMutation {
  /// Suspends until nothing is sent or waits to be sent, and every operation has returned, or the calling task is
  /// cancelled.
  ///
  /// - Parameter isolation: The actor that the mutation belongs to.
  public func settled(isolation: isolated any Actor = #isolation) async {
    await reminding(of: self, isolation) { await untilSettled(isolation: isolation) }
  }
}

extension AsyncOutbox {
  /// Suspends until nothing is sent or stored, and every operation has returned, or the calling task is cancelled. What
  /// has failed and waits for its pause, or for the gate, does not count.
  ///
  /// - Parameter isolation: The actor that the outbox belongs to.
  public func settled(isolation: isolated any Actor = #isolation) async {
    await reminding(of: self, isolation) { await untilSettled(isolation: isolation) }
  }
}

extension AsyncFamily {
  /// Suspends until nothing is left that could change any entry, or what is stored of it, or the calling task is
  /// cancelled; as ``AsyncState/AsyncData/settled(isolation:)``.
  ///
  /// - Parameter isolation: The actor that the family belongs to.
  public func settled(isolation: isolated any Actor = #isolation) async {
    await reminding(of: self, isolation) { await untilSettled(isolation: isolation) }
  }
}

extension AsyncTagBoard {
  /// Suspends until no request that the board made runs, and none is left that it could make, or the calling task is
  /// cancelled. What is not requested because a gate is closed does not count.
  ///
  /// - Parameter isolation: The actor that the board belongs to.
  public func settled(isolation: isolated any Actor = #isolation) async {
    await reminding(of: self, isolation) { await untilSettled(isolation: isolation) }
  }
}

/// Says what `wait` waits for, when it has lasted for long.
///
/// - Parameters:
///   - subject: Described on its actor, when it is said.
///   - isolation: The actor of the subject.
///   - what: What is waited for.
private func reminding<Subject: AnyObject>(
  of subject: Subject, _ isolation: isolated any Actor, _ what: String = "the end of everything that was started by",
  _ wait: () async -> Void
) async {
  // Weak, because the reminder ends a moment after the wait, on any thread.
  let subject = ActorBound({ [weak subject] in subject }, to: isolation)
  let reminder = Reminder(on: isolation) { say in
    subject.send { subject in
      guard let subject = subject() else { return }
      say(
        """
        \(what) \(subject). An operation that waits at a ManualServer needs its answer, one that sleeps on a ManualClock needs \
        the clock to move.
        """)
    }
  }
  await wait()
  reminder.cancel()
}
