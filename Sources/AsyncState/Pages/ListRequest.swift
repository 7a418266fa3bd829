// SPDX-License-Identifier: MIT
/// The request of a whole list. A further page keeps it for a change of its inputs.
struct ListRequest<Value> {
  /// The name of the request. Calls with an equal name join it.
  let id: LoadID
  let operation: LoadOperation<Value>
}
