#if os(macOS) || os(Linux)
/// How the tour is played.
struct TourOptions: Equatable {
  /// Names, in the order in which they are played.
  var scenes: [String]
  /// The folder that is read, as the bytes of the command line.
  var path: [UInt8] = Array(".".utf8)
  var seed: UInt64 = 1
  /// How much faster than planned.
  var speed = 1.0
  /// Lines, on a terminal, too.
  var isPlain = false
}
#endif
