// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// The words of a command line, read one after another.
///
/// A word is bytes, as the system has it: a path need not be UTF-8. Options and their values are text.
struct Arguments {
  enum Word: Equatable {
    case option(String)
    case operand([UInt8])
  }

  private var rest: ArraySlice<[UInt8]>
  /// The text behind the "=" of the option that was read last.
  private var attached: String?
  private var areAllOperands = false

  init(_ words: [[UInt8]]) {
    rest = words[...]
  }

  /// The words after the command's name.
  static var ofProcess: [[UInt8]] {
    CommandLine.arguments.indices.dropFirst().map { index in
      guard let word = unsafe CommandLine.unsafeArgv[index] else { return [] }
      return unsafe Array(UnsafeRawBufferPointer(start: word, count: length(of: word)))
    }
  }

  private static func length(of word: UnsafePointer<CChar>) -> Int {
    var length = 0
    while unsafe word[length] != 0 { length += 1 }
    return length
  }

  private static func text(_ word: [UInt8]) -> String { String(decoding: word, as: UTF8.self) }

  /// Takes the first word if it is this one.
  mutating func takeCommand(_ name: String) -> Bool {
    guard rest.first == Array(name.utf8) else { return false }
    rest.removeFirst()
    return true
  }

  /// The next option or operand; nil at the end.
  mutating func next() -> Word? {
    guard let word = rest.popFirst() else { return nil }
    let dash = UInt8(ascii: "-")
    if areAllOperands || word.first != dash || word == [dash] { return .operand(word) }
    if word == [dash, dash] {
      areAllOperands = true
      return next()
    }
    let parts = Self.text(word).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    attached = parts.count == 2 ? String(parts[1]) : nil
    return .option(String(parts[0]))
  }

  /// The option that was read last has no value.
  mutating func flag(_ option: String) throws(UsageError) -> Bool {
    if let attached { throw .bad(value: attached, of: option, possible: "no value") }
    return true
  }

  /// The value of the option that was read last.
  ///
  /// - Parameter possible: The possible values.
  mutating func value(of option: String, possible: String) throws(UsageError) -> String {
    guard let value = attached ?? rest.popFirst().map(Self.text) else {
      throw .missing(valueOf: option, possible: possible)
    }
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
    let chosen = try value(of: option, possible: possible).split(separator: ",", omittingEmptySubsequences: false)
    for name in chosen where !names.contains(String(name)) {
      throw .bad(value: String(name), of: option, possible: possible)
    }
    return chosen.map(String.init)
  }
}
#endif
