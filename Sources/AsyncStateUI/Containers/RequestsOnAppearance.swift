// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import AsyncState

  /// A host requests when it starts; a controller that displays a resource does when it appears, and only what is stale.
  @MainActor
  final class RequestsOnAppearance {
    private var areHeld = false

    /// The host of a resource, whose first request is left out.
    func makeHost<Value>(
      of resource: AsyncResource<Value>, _ policy: DisplayPolicy<Value>, _ pacer: DisplayPacer?
    ) -> AsyncHost<Value> {
      AsyncHost(data: resource.data, policy: policy, pacer: pacer) { [self] _, mode in
        guard !areHeld else { return }
        switch mode {
        case .reload: resource.reload()
        case .refresh: resource.refresh()
        }
      }
    }

    /// Starts the host, which presents the current status.
    func start<Value>(_ host: AsyncHost<Value>) {
      areHeld = true
      host.start()
      areHeld = false
    }
  }
#endif
