#if os(macOS) || os(Linux)
/// How the browser is to begin.
struct BrowseOptions: Equatable {
  /// The folder that is shown first; nil: the current one.
  var path: String?
  var seed: UInt64 = 1
  /// How slow the backend is, in milliseconds.
  var lag = 300
  /// Whether some requests meet a fault.
  var hasFaults = false
  /// The listing as lines, whatever reads them.
  var isPlain = false
}
#endif
