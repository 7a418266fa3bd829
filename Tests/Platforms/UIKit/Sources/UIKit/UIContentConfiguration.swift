// SPDX-License-Identifier: MIT
/// The state of a cell or view that a configuration may depend on.
public protocol UIConfigurationState {}

/// The state of a cell: a touch, a selection and the like.
public struct UICellConfigurationState: UIConfigurationState, Hashable, Sendable {
  /// Whether a finger is on the cell.
  public var isHighlighted = false
  /// Whether the cell is selected.
  public var isSelected = false
}

/// What a content view shows. Declared as documented: not isolated, but for the making of the view.
public protocol UIContentConfiguration {
  /// Makes a view for this configuration.
  @MainActor func makeContentView() -> any UIView & UIContentView
  /// The configuration for a state.
  func updated(for state: any UIConfigurationState) -> Self
}

/// A view that shows a configuration.
@MainActor
public protocol UIContentView: NSObjectProtocol {
  /// What the view shows. Setting it shows another.
  var configuration: any UIContentConfiguration { get set }
  /// Whether the view can show a configuration. By default those of the type that it shows.
  func supports(_ configuration: any UIContentConfiguration) -> Bool
}

extension UIContentView {
  /// Those of the same type.
  public func supports(_ configuration: any UIContentConfiguration) -> Bool {
    type(of: configuration) == type(of: self.configuration)
  }
}

/// A text, as the system shows it in a list.
public struct UIListContentConfiguration: UIContentConfiguration {
  /// What it says.
  public var text: String?
  /// A text as cells have it.
  @MainActor public static func cell() -> Self { Self() }
  /// A view of it; nothing is drawn.
  public func makeContentView() -> any UIView & UIContentView { PlainContentView(self) }
  /// The same in every state.
  public func updated(for state: any UIConfigurationState) -> Self { self }
}

extension UITableViewCell {
  /// A text in the style of the table.
  public func defaultContentConfiguration() -> UIListContentConfiguration { UIListContentConfiguration() }
}

/// The view of a configuration of the system.
final class PlainContentView: UIView, UIContentView {
  var configuration: any UIContentConfiguration
  init(_ configuration: any UIContentConfiguration) {
    self.configuration = configuration
    super.init(frame: .zero)
  }
  required init?(coder: NSCoder) { nil }
}

/// What cells of tables and of collections have in common here.
@MainActor
struct CellContent {
  private(set) var view = UIView()
  private(set) var configuration: (any UIContentConfiguration)?
  private(set) var state = UICellConfigurationState()

  /// `automaticallyUpdatesContentConfiguration` is true by default: "When this value is true, the cell automatically
  /// calls updated(for:) on its contentConfiguration when the cell's configurationState changes, and then reapplies the
  /// updated configuration."
  mutating func change(_ key: WritableKeyPath<UICellConfigurationState, Bool>, to value: Bool, in cell: UIView) {
    guard state[keyPath: key] != value else { return }
    state[keyPath: key] = value
    if let configuration { set(configuration.updated(for: state), in: cell) }
  }

  func isOn(_ key: KeyPath<UICellConfigurationState, Bool>) -> Bool { state[keyPath: key] }

  /// "Setting a content configuration replaces the existing contentView of the cell with a new content view instance
  /// from the configuration, or directly applies the configuration to the existing content view if the configuration is
  /// compatible with the existing content view type."
  mutating func set(_ next: (any UIContentConfiguration)?, in cell: UIView) {
    configuration = next
    if let next, let current = view as? any UIContentView, current.supports(next) {
      current.configuration = next
      return
    }
    view.removeFromSuperview()
    view = next?.makeContentView() ?? UIView()
    cell.addSubview(view)
  }
}
