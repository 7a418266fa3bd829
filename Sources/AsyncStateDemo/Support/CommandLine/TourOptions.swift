// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// How the tour is played.
struct TourOptions: Equatable {
  /// Names, in the order in which they are played.
  var scenes: [String]
  /// The folder that is read, as the bytes of the command line.
  var path: [UInt8] = Array(".".utf8)
  var seed: UInt64 = 1
  /// How much faster than the times of the scenes; nil: slower on a screen, so that it can be followed.
  var speed: Double?
  /// Lines, on a terminal, too.
  var isPlain = false
}
#endif
