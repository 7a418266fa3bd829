#if canImport(UIKit) && !os(watchOS)
  public import AsyncState
  public import UIKit

  /// The content of a row that has a view controller of its own, for any cell of a table or collection view.
  ///
  /// ```swift
  /// cell.contentConfiguration = ControllerConfiguration(post, in: self) { PostViewController() }
  /// ```
  ///
  /// The controller is created at the first model of the cell, is contained in `parent`, and displays one model after
  /// another: a model that is not the former one ends that first. Its view fills the cell by constraints, so that rows can
  /// be as high as their contents.
  public struct ControllerConfiguration<Controller: UIViewController & ReusableController>: UIContentConfiguration {
    let model: Controller.Model
    let makeHost: @MainActor (UIView) -> CellHost<Controller>

    /// The content of a row.
    ///
    /// - Parameters:
    ///   - model: What the row shows.
    ///   - parent: The parent of the controller. It must forward appearance, as all do by default.
    ///   - cancelsLoadWhenHidden: Whether the row's load is cancelled when the cell is not visible any more.
    ///   - create: Creates the controller, once for each cell.
    public init(
      _ model: Controller.Model, in parent: UIViewController, cancelsLoadWhenHidden: Bool = false,
      create: @escaping @MainActor () -> Controller
    ) {
      self.model = model
      makeHost = { [weak parent] cell in
        CellHost(cancelsLoadWhenHidden: cancelsLoadWhenHidden) { [weak cell, weak parent] in
          let controller = create()
          parent?.addChild(controller)
          if let cell { Self.fill(cell, with: controller.view) }
          controller.didMove(toParent: parent)
          return controller
        }
      }
    }

    @MainActor
    private static func fill(_ cell: UIView, with view: UIView) {
      view.translatesAutoresizingMaskIntoConstraints = false
      cell.addSubview(view)
      NSLayoutConstraint.activate([
        view.topAnchor.constraint(equalTo: cell.topAnchor), view.bottomAnchor.constraint(equalTo: cell.bottomAnchor),
        view.leadingAnchor.constraint(equalTo: cell.leadingAnchor),
        view.trailingAnchor.constraint(equalTo: cell.trailingAnchor),
      ])
    }

    /// A view that contains the controller.
    public func makeContentView() -> any UIView & UIContentView { ControllerCell(self) }

    /// The same content in every state of the cell.
    public func updated(for state: any UIConfigurationState) -> Self { self }
  }

  /// The view of a ``ControllerConfiguration``: what a cell contains.
  public final class ControllerCell<Controller: UIViewController & ReusableController>:
    UIView, UIContentView, @MainActor CellDisplay
  {
    private var host: CellHost<Controller>?

    /// The controller.
    public var controller: Controller? { host?.controller }

    /// What the cell shows.
    public var configuration: any UIContentConfiguration {
      didSet { show() }
    }

    init(_ configuration: ControllerConfiguration<Controller>) {
      self.configuration = configuration
      super.init(frame: .zero)
      host = configuration.makeHost(self)
      show()
    }

    @available(*, unavailable, message: "Make a ControllerConfiguration.")
    required init?(coder: NSCoder) { fatalError("AsyncStateUI: a ControllerCell has no archived form.") }

    isolated deinit {
      let controller = controller
      // The parent may be released before.
      if controller?.parent != nil { controller?.willMove(toParent: nil) }
      // Ends the display and the model.
      host = nil
      controller?.removeFromParent()
    }

    private func show() {
      if let content = configuration as? ControllerConfiguration<Controller> { host?.configure(with: content.model) }
    }

    /// Called by ``TableRows`` and ``CollectionItems``. The controller appears.
    public func willDisplay(animated: Bool) { host?.willDisplay(animated: animated) }
    /// Called by ``TableRows`` and ``CollectionItems``. The controller disappears.
    public func didEndDisplaying(animated: Bool) { host?.didEndDisplaying(animated: animated) }
    /// The model ends.
    public func prepareForReuse() { host?.prepareForReuse() }
  }
#endif
