#if os(macOS) || os(Linux)
import AsyncState

extension AsyncData {
  /// Suspends until no load runs.
  func settled() async {
    for await isRunning in observed.isRunning.values where !isRunning { return }
  }
}
#endif
