// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// How the browser begins.
struct BrowseOptions: Equatable {
  /// The folder that is displayed first, as the bytes of the command line.
  var path: [UInt8] = Array(".".utf8)
  var seed: UInt64 = 1
  /// How slow the backend is, in milliseconds.
  var lag = 300
  /// Whether some requests fail.
  var hasFaults = false
  /// The listing as lines, on a terminal, too.
  var isPlain = false
}
#endif
