// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// A command line that cannot be understood: what is wrong with it, and what is possible. One line.
struct UsageError: Error, Equatable, CustomStringConvertible {
  let description: String

  static func unknown(option: String, possible: String) -> UsageError {
    UsageError(description: "unknown option \(quoted(option)); possible: \(possible)")
  }

  static func excess(operand: [UInt8], possible: String) -> UsageError {
    UsageError(
      description: "one folder is enough, “\(PrintableText.of(operand))” is too much; possible: \(possible)")
  }

  static func missing(valueOf option: String, possible: String) -> UsageError {
    UsageError(description: "\(option) needs a value; possible: \(possible)")
  }

  static func bad(value: String, of option: String, possible: String) -> UsageError {
    UsageError(description: "\(option) cannot be \(quoted(value)); possible: \(possible)")
  }

  private static func quoted(_ text: String) -> String { "“\(PrintableText.of(text))”" }
}
#endif
