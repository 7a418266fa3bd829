// SPDX-License-Identifier: MIT
extension Observed {
  /// Several values as one array, in their order.
  ///
  /// ```swift
  /// let total = Observed.all(rows.map(\.price)).map { $0.reduce(0, +) }
  /// ```
  ///
  /// A change of several of them, as in a ``batch(_:)``, is one change. For an array that changes itself, choose with
  /// `flatMap`: `list.flatMap { Observed.all($0.map(\.price)) }`.
  ///
  /// - Complexity: A change of one value takes O(*n*) for *n* values.
  public static func all(_ values: [Observed<Value>]) -> Observed<[Value]> {
    all(values[...])
  }

  // Halves, so that the depth of the values is the logarithm of their number, and a change computes one path again.
  private static func all(_ values: ArraySlice<Observed<Value>>) -> Observed<[Value]> {
    guard values.count > 1 else { return values.first?.map { [$0] } ?? .constant([]) }
    let middle = values.startIndex + values.count / 2
    return all(values[..<middle]).zip(all(values[middle...])).map { $0 + $1 }
  }
}
