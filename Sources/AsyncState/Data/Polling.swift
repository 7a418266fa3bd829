extension AsyncData {
  /// Loads, waits, and loads again, until the interval is nil or the task is cancelled.
  ///
  /// Each load is a refresh: what is shown stays. An error does not end the polling; the interval may.
  ///
  /// - Parameters:
  ///   - interval: How long to wait before the next load, counted from the end of the last, less than zero being zero;
  ///     nil: that was the last. It is asked of the facts after each load.
  ///   - isolation: The actor that the data live on.
  ///   - operation: Gets the value; nil: there is none.
  public func poll(
    every interval: @escaping (AsyncSnapshot<Value>) -> Duration?, isolation: isolated any Actor = #isolation,
    _ operation: @escaping () async throws -> Value?
  ) async {
    let timeline = timeline
    while !Task.isCancelled {
      await load(.refresh, isolation: isolation, operation)
      let settled = timeline.now
      guard !Task.isCancelled, let pause = interval(facts) else { return }
      guard (try? await timeline.sleep(until: settled + pause.bounded)) != nil else { return }
    }
  }
}
