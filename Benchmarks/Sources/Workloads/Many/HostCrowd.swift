// SPDX-License-Identifier: MIT
import AsyncState

/// Hosts that are made, appear, are driven from loading to data, and are released, all at a time.
final class HostCrowd: Work {
  func run(_ count: Int, on home: isolated any Actor) async {
    let hosts = (0..<count).map { _ in
      let host = HostScreen(.counting())
      host.begin(on: home)
      return host
    }
    for (turn, host) in hosts.enumerated() { host.show(turn) }
  }
}
