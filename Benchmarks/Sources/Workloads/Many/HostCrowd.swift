import AsyncState

/// Hosts that are made, appear, are driven from loading to data, and are let go, all at a time.
final class HostCrowd: SynchronousWork {
  func run(_ count: Int) {
    let hosts = (0..<count).map { _ in HostScreen(.counting()) }
    for (turn, host) in hosts.enumerated() { host.show(turn) }
  }
}
