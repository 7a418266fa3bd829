// SPDX-License-Identifier: MIT
/// Writes down what observers are called with.
///
/// Not a `Recorder`: tests compare lists of values of any form, which are no marks of the contract.
final class Log {
  var entries: [String] = []
  func callAsFunction(_ entry: Any) { entries.append("\(entry)") }
  func take() -> [String] {
    defer { entries = [] }
    return entries
  }
}
