// SPDX-License-Identifier: MIT
/// The need for a request: the greater begins first.
@usableFromInline
enum RequestNeed: Int, CaseIterable, Sendable {
  /// Nothing holds its data.
  case prefetched
  case held
  /// A call waits for it.
  case awaited
  /// A visible host displays its data, or it is a command, made by a person.
  case displayed
}
