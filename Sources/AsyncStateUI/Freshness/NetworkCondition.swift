// SPDX-License-Identifier: MIT
#if canImport(Network) && (canImport(UIKit) || canImport(AppKit) || canImport(SwiftUI))
  public import AsyncState
  import Dispatch
  import Network

  extension LoadGate {
    /// Whether the system has a network: true until it is sure that there is none, and where it could connect at a request.
    ///
    /// On a watch, and before it has had one, the system says that there is none where requests succeed: there it is not
    /// believed. ``assumeOnline()`` says that a person knows better.
    @MainActor public static var isOnline: Observed<Bool> { SystemNetwork.shared.isOnline }

    /// A person insists: requests are sent as if there were a network, until the system reports another change. The standard
    /// views and screens have a button for it where a request waits for ``isOnline``.
    @MainActor public static func assumeOnline() { SystemNetwork.current?.insist() }

    /// Whether requests may wait because of what the system has said, and a person may insist. A view that reads it is drawn
    /// again when it changes.
    @MainActor static var isOfflineByReport: Bool { SystemNetwork.isOffline.value == true }

    /// The same for what is no view.
    @MainActor static var offlineReports: Observed<Bool> { SystemNetwork.isOffline.observed.map { $0.value == true } }

    /// Open unless the system is sure that there is no network: `LoadOptions(gate: .online)`.
    @MainActor public static var online: LoadGate { SystemNetwork.shared.gate }
  }

  /// What the reports of the system mean.
  struct NetworkCondition {
    /// Whether the system knows if there is a network. On a watch it does not: it reports to most apps that
    /// there is none (Apple, TN3135).
    var isReliable: Bool
    private var wasSatisfied = false
    private(set) var isOnline = true

    init(isReliable: Bool) { self.isReliable = isReliable }

    mutating func note(_ status: NWPath.Status) {
      if status == .satisfied { wasSatisfied = true }
      isOnline = status != .unsatisfied || !isReliable || !wasSatisfied
    }

    mutating func insist() { isOnline = true }
  }

  @MainActor
  private final class SystemNetwork {
    /// Nil: nothing has read whether there is a network.
    private(set) static weak var current: SystemNetwork?
    static let shared = SystemNetwork()
    /// What ``current`` says, for what is to be displayed: reading it does not begin to watch the network.
    static let isOffline = AsyncData<Bool>()
    let isOnline = Input(true)
    let gate = LoadGate()
    private let following: ObservedToken
    private let monitor = NWPathMonitor()
    private var condition: NetworkCondition

    private init() {
      #if os(watchOS)
        condition = NetworkCondition(isReliable: false)
      #else
        condition = NetworkCondition(isReliable: true)
      #endif
      following = gate.follow(isOnline)
      Self.current = self
      monitor.pathUpdateHandler = { path in
        let status = path.status
        // Justified: it is called on the main queue, as said below. Noticed: elsewhere the process stops.
        MainActor.assumeIsolated { Self.shared.change { $0.note(status) } }
      }
      monitor.start(queue: .main)
    }

    func insist() { change { $0.insist() } }

    private func change(_ body: (inout NetworkCondition) -> Void) {
      body(&condition)
      Self.isOffline.value = !condition.isOnline
      isOnline.write(condition.isOnline)
    }
  }
#endif
