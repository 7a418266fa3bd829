/// How a load ended. Not generic: the answer stands beside it.
@usableFromInline
enum LoadEnding {
  case answered
  case failed(any Error)
  /// Somebody else ended it.
  case ended(LoadEnd)
  /// It did not begin, because what is known is fresh.
  case fresh
}
