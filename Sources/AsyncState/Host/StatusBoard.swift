public import Observation

/// Decides which part of a screen shows: the indicator, a message, or the content. Exactly one does.
///
/// The views are the user's: they read ``visiblePart``, which is tracked by Observation. A board is the presenter of an
/// ``AsyncHost``; keep it as long as that.
public final class StatusBoard<Value>: AsyncStatusPresenter, Observable {
  /// A part of the screen, and what it says.
  public enum Part: Hashable, Sendable {
    /// Please wait.
    case indicator
    /// What went wrong, with or without a reload control.
    case error(message: String, showsReload: Bool)
    /// That there is nothing, with or without a reload control.
    case noData(message: String, showsReload: Bool)
    /// The value.
    case content
  }

  private struct Parts: OptionSet {
    let rawValue: UInt8

    static var visiblePart: Parts { Parts(rawValue: 1) }
  }

  private weak var content: (any AsyncContent<Value>)?
  private let data: AsyncData<Value>
  private var part = Part.indicator
  private var tracking = Tracking<Parts>()

  /// A board that shows the indicator until it hears otherwise.
  ///
  /// - Parameters:
  ///   - content: Shows values and knows the messages. Held weakly: it is often the screen that has the board.
  ///   - data: Whose delegate ``reload()`` asks.
  public init(content: any AsyncContent<Value>, data: AsyncData<Value>) {
    self.content = content
    self.data = data
  }

  /// What is said when there is nothing and the content has no words of its own.
  public static var defaultNoDataMessage: String { "There is nothing here yet." }

  /// The one part that shows.
  public var visiblePart: Part {
    tracking.access(.visiblePart)
    return part
  }

  /// What the reload control calls: asks the data's delegate to forget and ask again.
  public func reload() {
    data.delegate?.reloadAsyncData()
  }

  /// Shows the indicator.
  public func transitionToLoading(animated: Bool) {
    show(.indicator)
  }

  /// Shows `String(describing: error)`, with a reload control if the content can reload.
  public func transitionToError(_ error: any Error, animated: Bool) {
    show(.error(message: String(describing: error), showsReload: content?.canReload ?? false))
  }

  /// Shows the content's message or the default one, with a reload control if the content can reload.
  public func transitionToNoData(animated: Bool) {
    let message = content?.noDataMessage ?? Self.defaultNoDataMessage
    show(.noData(message: message, showsReload: content?.canReload ?? false))
  }

  /// Shows the content, and applies `value` to it once.
  public func transitionToData(_ value: Value, animated: Bool) {
    show(.content)
    content?.apply(value, animated: animated)
  }

  private func show(_ next: Part) {
    guard next != part else { return }
    tracking.changing(.visiblePart) { part = next }
  }
}
