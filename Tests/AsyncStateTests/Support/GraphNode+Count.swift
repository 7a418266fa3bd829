// SPDX-License-Identifier: MIT
@testable import AsyncState

extension GraphNode {
  /// How many derived values below are connected.
  var dependentCount: Int {
    guard let connection = state.connection?.object, connection.isAlive else { return 0 }
    return (0..<connection.state.dependents.count).filter { connection.state.dependents[$0].object.isAlive }.count
  }

  /// How many observers are on the list, dead ones included.
  var observerCount: Int { state.connection?.with { $0.state.observers.count } ?? 0 }
}
