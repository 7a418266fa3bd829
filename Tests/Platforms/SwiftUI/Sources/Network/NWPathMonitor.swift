// SPDX-License-Identifier: MIT
public import Dispatch

/// A way to the network.
public struct NWPath: Sendable {
  /// Whether it can be used.
  public enum Status: Sendable {
    /// It can.
    case satisfied
    /// It cannot.
    case unsatisfied
    /// Not yet; a connection may establish it.
    case requiresConnection
  }
  /// Whether it can be used.
  public let status: Status
}

/// Watches the ways to the network.
public final class NWPathMonitor: @unchecked Sendable {
  /// Called with each change, on the queue.
  public var pathUpdateHandler: (@Sendable (NWPath) -> Void)?
  /// A monitor of all interfaces.
  public init() {}
  /// Begins to watch. The stand-in knows the main queue alone.
  public func start(queue: DispatchQueue) {
    precondition(queue.label == DispatchQueue.main.label)
    MainActor.assumeIsolated { Self.monitors.append(self) }
  }
  /// Ends to watch.
  public func cancel() { MainActor.assumeIsolated { Self.monitors.removeAll { $0 === self } } }

  @MainActor private static var monitors: [NWPathMonitor] = []
  /// What a test does: the way to the network is another. Nothing of this exists in Network.
  @MainActor public static func change(to status: NWPath.Status) {
    for monitor in monitors { monitor.pathUpdateHandler?(NWPath(status: status)) }
  }
}
