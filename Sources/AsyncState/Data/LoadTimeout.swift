/// The error of a load that did not answer in time.
public struct LoadTimeout: Error, Hashable {
  /// An error without details: how long was allowed, whoever asked knows.
  public init() {}
}
