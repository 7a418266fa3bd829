// SPDX-License-Identifier: MIT
extension AsyncResource {
  /// Calls `body` with the snapshot before it returns, and then with each change, and holds the resource as long as the
  /// token lasts.
  ///
  /// An entry of a family is held like that by an object that has no use for the resource itself. A token on ``observed``
  /// does not hold it.
  ///
  /// - Returns: A token that holds the resource, and keeps the observation. Both end when it is cancelled or released, on
  ///   any thread.
  public func observe(_ body: @escaping (AsyncSnapshot<Value>) -> Void) -> ObservedToken {
    observed.observe { snapshot in withExtendedLifetime(self) { body(snapshot) } }
  }
}
