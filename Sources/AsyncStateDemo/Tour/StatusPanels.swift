#if os(macOS) || os(Linux)
import AsyncState

/// What a screen of the tour consists of: a panel for each of the four statuses.
@MainActor
final class StatusPanels<Value> {
  private let spinner: Spinner
  private let message = Panel("error message")
  private let notice = Panel("empty notice")
  private let content = Panel("content")
  private let describe: (Value) -> [String]

  /// - Parameters:
  ///   - clock: What the spinner turns by.
  ///   - describe: How a value is shown.
  init(clock: any Clock<Duration>, describe: @escaping (Value) -> [String]) {
    spinner = Spinner(clock: clock)
    self.describe = describe
  }

  /// The children of a status.
  func children(for status: AsyncStatus<Value>) -> [any ChildController] {
    switch status {
    case .loading:
      return [spinner]
    case .error(let error):
      message.rows = [Row("✗ \(error)", .bad)]
      return [message]
    case .data(let value):
      content.rows = describe(value).map { Row($0, .good) }
      return [content]
    case .noData:
      notice.rows = [Row("There is nothing here.", .faint)]
      return [notice]
    }
  }
}
#endif
