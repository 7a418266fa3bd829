/// The part of a screen that shows a value: all that is left to write when a ``StatusBoard`` does the rest.
public protocol AsyncContent<Value>: AnyObject {
  /// What is shown.
  associatedtype Value

  /// Shows `value`, be it the first or the next.
  func apply(_ value: Value, animated: Bool)

  /// What to say when there is nothing; nil for the default text.
  var noDataMessage: String? { get }

  /// Whether a reload control belongs beside an error and beside "there is nothing".
  var canReload: Bool { get }
}

extension AsyncContent {
  /// Nil: the default text.
  public var noDataMessage: String? { nil }
  /// False: no reload control.
  public var canReload: Bool { false }
}
