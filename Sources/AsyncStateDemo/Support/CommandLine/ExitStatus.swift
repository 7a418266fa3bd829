// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// The statuses with which the process ends: the numbers of `sysexits.h`.
enum ExitStatus {
  static let success: Int32 = 0
  /// The command line cannot be understood.
  static let usage: Int32 = 64
  /// The output cannot be written.
  static let noOutput: Int32 = 74

  /// Ctrl-C was pressed.
  static let interrupt = signal(2)
  /// The terminal was closed.
  static let hangUp = signal(1)

  /// As if the signal had ended the process.
  static func signal(_ number: Int32) -> Int32 { 128 + number }
}
#endif
