// SPDX-License-Identifier: MIT
/// How a list is requested as a whole.
struct ListRequest<Value> {
  /// The name of the request: calls join it.
  let id: LoadID
  let operation: LoadOperation<Value>
}
