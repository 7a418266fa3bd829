/// Writes down what observers are called with.
final class Log {
  var entries: [String] = []
  func callAsFunction(_ entry: Any) { entries.append("\(entry)") }
  func take() -> [String] {
    defer { entries = [] }
    return entries
  }
}
