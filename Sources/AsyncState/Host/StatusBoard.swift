// SPDX-License-Identifier: MIT
public import Observation

/// A part of the screen, and its text.
public enum StatusPart: Hashable, Sendable {
  /// Nothing, because no status is displayed yet: before the host is started, and with a ``DisplayPacer`` until the first
  /// loading of all, or of another key, has lasted for its delay.
  case nothing
  /// A sign that the value is expected.
  case indicator
  /// A message about an error, with or without a reload control.
  case error(message: String, showsReload: Bool)
  /// A message that there is nothing, with or without a reload control.
  case noData(message: String, showsReload: Bool)
  /// The value.
  case content
}

/// Decides which part of a screen is visible: the indicator, a message, or the content. From the first status on exactly one is
/// visible.
///
/// The views are the user's: they read ``visiblePart``, which Observation tracks. A board is the presenter of an
/// ``AsyncHost``. The host holds it weakly, so keep it as long as the host.
public final class StatusBoard<Value>: AsyncStatusPresenter, Observable {
  private struct Parts: OptionSet {
    let rawValue: UInt16

    static var visiblePart: Parts { Parts(rawValue: 1) }
  }

  private weak var content: (any AsyncContent<Value>)?
  private let data: AsyncData<Value>
  /// The resource that fills the data; nil: the caller fills it.
  private let resource: AsyncResource<Value>?
  private var part = StatusPart.nothing
  private var tracking = Tracking<Parts>()

  /// A board that shows nothing until the first transition.
  ///
  /// - Parameters:
  ///   - content: Displays values and provides the messages. Held weakly: it is often the screen that owns the board.
  ///   - data: The data that ``reload()`` requests again.
  public init(content: any AsyncContent<Value>, data: AsyncData<Value>) {
    self.content = content
    self.data = data
    resource = nil
  }

  /// A board that shows nothing until the first transition.
  ///
  /// - Parameters:
  ///   - content: Displays values and provides the messages. Held weakly: it is often the screen that owns the board.
  ///   - resource: The resource that ``reload()`` requests again. It is held.
  public init(content: any AsyncContent<Value>, _ resource: AsyncResource<Value>) {
    self.content = content
    data = resource.data
    self.resource = resource
  }

  /// The message for an error if the content has none: a sentence for people, in English.
  ///
  /// The names of types and the values in an error are never displayed, because they may be secret. Only a `LoadTimeoutError`
  /// has a sentence of its own: the texts of `LocalizedError` and of the system's errors belong to Foundation, which the
  /// library does without. AsyncStateUI displays those; a content that imports Foundation returns them from
  /// ``AsyncContent/statusMessages``.
  static func defaultMessage(for error: any Error) -> String {
    error is LoadTimeoutError ? StandardTexts.timeout : StandardTexts.failure
  }

  /// The part that is visible.
  public var visiblePart: StatusPart {
    tracking.access(.visiblePart)
    return part
  }

  /// The action of a reload control: the host that displays the data reloads.
  public func reload() {
    if data.requestReload() { return }
    AsyncStateWarnings.warn(
      """
      AsyncState: a StatusBoard is to reload, and no host that was started displays its data, so nothing is requested. \
      Start the host, and keep it as long as the board.
      """)
  }

  /// Shows nothing.
  public func transitionToNothing(animated: Bool) {
    show(.nothing)
  }

  /// Shows the indicator.
  public func transitionToLoading(animated: Bool) {
    show(.indicator)
  }

  /// Shows the content's message for the error, or the default one, with a reload control if the content can reload.
  public func transitionToError(_ error: any Error, animated: Bool) {
    let message = content?.statusMessages.error(error) ?? Self.defaultMessage(for: error)
    show(.error(message: message, showsReload: content?.canReload ?? false))
  }

  /// Shows the content's message for no data, or the default one, with a reload control if the content can reload.
  public func transitionToNoData(animated: Bool) {
    showNoData(message: content?.statusMessages.noData ?? StandardTexts.noData)
  }

  /// Shows the content's message for idle data, or the default one, with a reload control if the content can reload.
  public func transitionToIdle(animated: Bool) {
    showNoData(message: content?.statusMessages.idle ?? StandardTexts.idle)
  }

  /// Shows the content's message for a request that waits, or the default one, without a reload control: the request is
  /// made already.
  public func transitionToWaiting(animated: Bool) {
    show(.noData(message: content?.statusMessages.waiting ?? StandardTexts.waiting, showsReload: false))
  }

  /// Shows the content, and applies `value` to it once.
  public func transitionToData(_ value: Value, animated: Bool) {
    show(.content)
    content?.apply(value, animated: animated)
  }

  private func showNoData(message: String) {
    show(.noData(message: message, showsReload: content?.canReload ?? false))
  }

  private func show(_ next: StatusPart) {
    guard next != part else { return }
    part = next
    tracking.report(.visiblePart)
  }
}
