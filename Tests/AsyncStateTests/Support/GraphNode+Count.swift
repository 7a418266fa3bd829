@testable import AsyncState

extension GraphNode {
  /// How many nodes below are connected: the list itself cannot be copied, as an expectation would.
  var dependentCount: Int { dependents.count }
}
