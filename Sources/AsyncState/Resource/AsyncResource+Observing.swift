// SPDX-License-Identifier: MIT
extension AsyncResource {
  /// Calls `body` with the snapshot before it returns, and then with each change. The token also holds the resource.
  ///
  /// Use it to hold an entry of a family for an object that does not need the resource itself. A token on ``observed`` does not
  /// hold it.
  ///
  /// - Returns: A token that holds the resource, and keeps the observation. Both end when it is cancelled or released, on
  ///   any thread.
  public func observe(_ body: @escaping (AsyncSnapshot<Value>) -> Void) -> ObservedToken {
    observed.observe { snapshot in withExtendedLifetime(self) { body(snapshot) } }
  }
}
