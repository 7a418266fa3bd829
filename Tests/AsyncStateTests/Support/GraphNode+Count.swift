// SPDX-License-Identifier: MIT
@testable import AsyncState

extension GraphNode {
  /// How many derived values follow this one and are observed, directly or by way of what is derived from them.
  var dependentCount: Int { downstream.observedCount }

  /// How many observers are on the list, those included that have ended.
  var observerCount: Int { downstream.state.observers.count }
}

extension Downstream {
  fileprivate var observedCount: Int {
    let observed = state.dependents.filter { follows($0) && ($0.hasObservers || $0.observedCount > 0) }
    // One that has left and come back may be on the list twice.
    return Set(observed.map { ObjectIdentifier($0) }).count
  }
}
