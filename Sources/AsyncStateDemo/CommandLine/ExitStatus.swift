#if os(macOS) || os(Linux)
/// How the process ends: the numbers of `sysexits.h`.
enum ExitStatus {
  static let success: Int32 = 0
  /// The command line means nothing.
  static let usage: Int32 = 64
  /// What was to be read cannot be read.
  static let noInput: Int32 = 66

  /// Somebody pressed Ctrl-C.
  static let interrupt = signal(2)
  /// Nobody is there any more.
  static let hangUp = signal(1)

  /// As if the signal had ended the process.
  static func signal(_ number: Int32) -> Int32 { 128 + number }
}
#endif
