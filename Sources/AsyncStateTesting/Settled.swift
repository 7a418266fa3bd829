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
  /// gate.answer(call: 1, with: .success(["Rain", "Sun"]))
  /// await data.settled()
  /// #expect(data.value == ["Rain", "Sun"])
  /// ```
  ///
  /// An operation that waits at a ``Gate`` must have its answer, or be cancelled at one that regards cancellation.
  /// While an older operation still waits, use ``loadEnded(isolation:)`` to wait for the current load alone.
  ///
  /// - Parameter isolation: The actor that the data belongs to.
  public func settled(isolation: isolated any Actor = #isolation) async {
    await untilSettled(isolation: isolation)
  }

  /// Suspends until no load is running, or the calling task is cancelled. Operations of superseded and cancelled loads
  /// may still run.
  ///
  /// - Parameter isolation: The actor that the data belongs to.
  public func loadEnded(isolation: isolated any Actor = #isolation) async {
    for await isRunning in observed.map(\.isRunning).values where !isRunning { return }
  }
}

extension AsyncHost {
  /// Suspends until nothing is left that could change the host's data, or the calling task is cancelled; as
  /// ``AsyncState/AsyncData/settled(isolation:)``.
  ///
  /// - Parameter isolation: The actor that the host belongs to.
  public func settled(isolation: isolated any Actor = #isolation) async {
    await untilSettled(isolation: isolation)
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
}

extension AsyncMutation {
  /// Suspends until nothing is sent or waits to be sent, and every operation has returned, or the calling task is
  /// cancelled.
  ///
  /// - Parameter isolation: The actor that the mutation belongs to.
  public func settled(isolation: isolated any Actor = #isolation) async {
    await untilSettled(isolation: isolation)
  }
}

extension AsyncFamily {
  /// Suspends until nothing is left that could change any entry, or what is stored of it, or the calling task is
  /// cancelled; as ``AsyncState/AsyncData/settled(isolation:)``.
  ///
  /// - Parameter isolation: The actor that the family belongs to.
  public func settled(isolation: isolated any Actor = #isolation) async {
    await untilSettled(isolation: isolation)
  }
}
