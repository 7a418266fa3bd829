#if os(macOS) || os(Linux)
/// The words of a command line, read one after another.
struct Arguments {
  enum Word: Equatable {
    case option(String)
    case operand(String)
  }

  private var rest: ArraySlice<String>
  /// What stood behind the "=" of the option that was read last.
  private var attached: String?
  private var areAllOperands = false

  init(_ words: [String]) {
    rest = words[...]
  }

  /// Takes the first word if it is this one.
  mutating func takeCommand(_ name: String) -> Bool {
    guard rest.first == name else { return false }
    rest.removeFirst()
    return true
  }

  /// The next option or operand; nil at the end.
  mutating func next() -> Word? {
    guard let word = rest.popFirst() else { return nil }
    if areAllOperands || !word.hasPrefix("-") || word == "-" { return .operand(word) }
    if word == "--" {
      areAllOperands = true
      return next()
    }
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    attached = parts.count == 2 ? String(parts[1]) : nil
    return .option(String(parts[0]))
  }

  /// The option that was read last stands for itself.
  mutating func flag(_ option: String) throws(UsageError) -> Bool {
    if let attached { throw .bad(value: attached, of: option, possible: "no value") }
    return true
  }

  /// What the option that was read last is set to.
  ///
  /// - Parameter possible: What it could be set to.
  mutating func value(of option: String, possible: String) throws(UsageError) -> String {
    guard let value = attached ?? rest.popFirst() else { throw .missing(valueOf: option, possible: possible) }
    return value
  }

  /// The number that the option that was read last is set to.
  mutating func number<Number: Comparable & LosslessStringConvertible>(
    of option: String, in range: ClosedRange<Number>
  ) throws(UsageError) -> Number {
    let possible = "a number from \(range.lowerBound) to \(range.upperBound)"
    let value = try value(of: option, possible: possible)
    guard let number = Number(value), range.contains(number) else {
      throw .bad(value: value, of: option, possible: possible)
    }
    return number
  }

  /// The names that the option that was read last is set to: one, or several with commas between them.
  mutating func names(of option: String, among names: [String]) throws(UsageError) -> [String] {
    let possible = names.joined(separator: ", ")
    let asked = try value(of: option, possible: possible).split(separator: ",", omittingEmptySubsequences: false)
    for name in asked where !names.contains(String(name)) {
      throw .bad(value: String(name), of: option, possible: possible)
    }
    return asked.map(String.init)
  }
}
#endif
