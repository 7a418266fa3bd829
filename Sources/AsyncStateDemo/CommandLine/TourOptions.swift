#if os(macOS) || os(Linux)
/// How the tour is to be played.
struct TourOptions: Equatable {
  /// Names, in the order in which they are played.
  var scenes: [String]
  /// The folder that is read; nil: the current one.
  var path: String?
  var seed: UInt64 = 1
  /// How much faster than planned.
  var speed = 1.0
  /// Lines only, whatever reads them.
  var isPlain = false
}
#endif
