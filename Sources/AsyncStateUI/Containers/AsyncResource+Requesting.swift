// SPDX-License-Identifier: MIT
#if canImport(SwiftUI) || canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import AsyncState

  extension AsyncResource {
    /// Whether something is being requested: not while the request waits at its gate. The control of a pull turns as long.
    @MainActor var isRequesting: Observed<Bool> { observed.map { $0.isRunning && !$0.isWaiting } }

    /// Suspends while something is being requested, also in a task that is cancelled.
    @MainActor
    func untilNothingIsRequested() async {
      // What a preview displays as running never ends.
      guard !isPreview else { return }
      var token: ObservedToken?
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        var waiting: CheckedContinuation<Void, Never>? = continuation
        token = isRequesting.observe { isRequesting in
          if !isRequesting { waiting.take()?.resume() }
        }
      }
      withExtendedLifetime(token) {}
    }
  }
#endif
