// SPDX-License-Identifier: MIT
#if canImport(Network) && (canImport(UIKit) || canImport(AppKit) || canImport(SwiftUI))
  public import AsyncState
  import Dispatch
  import Network

  extension AsyncTagBoard {
    /// Whether the system has a network: true until it says that there is none, and where it could connect at a request.
    @MainActor public static var isOnline: Observed<Bool> { SystemNetwork.shared.isOnline }
  }

  extension LoadGate {
    /// Open unless the system says that there is no network: `LoadOptions(gate: .online)`.
    @MainActor public static var online: LoadGate { SystemNetwork.shared.gate }
  }

  @MainActor
  private final class SystemNetwork {
    static let shared = SystemNetwork()
    let isOnline = Input(true)
    let gate = LoadGate()
    private let following: ObservedToken
    private let monitor = NWPathMonitor()

    private init() {
      following = gate.follow(isOnline)
      monitor.pathUpdateHandler = { path in
        let isPossible = path.status != .unsatisfied
        // Justified: it is called on the main queue, as said below. Noticed: elsewhere the process stops.
        MainActor.assumeIsolated { Self.shared.isOnline.write(isPossible) }
      }
      monitor.start(queue: .main)
    }
  }
#endif
