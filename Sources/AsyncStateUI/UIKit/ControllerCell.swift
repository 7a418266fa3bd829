#if canImport(UIKit) && !os(watchOS)
  public import AsyncState
  public import UIKit

  /// The content of a row: a controller of its own, with a view. It may be a view controller.
  @MainActor
  public protocol RowController: ReusableController {
    /// The view that fills the cell.
    var rowView: UIView { get }
  }

  extension RowController where Self: UIViewController {
    /// The controller's view.
    public var rowView: UIView { view }
  }

  /// What cells of tables and of collections have in common: the host of a controller, whose view fills the cell.
  @MainActor
  final class CellContent<Controller: RowController> {
    private var host: CellHost<RowChild<Controller>>?

    var controller: Controller? { host?.controller?.controller }

    func show(
      _ model: Controller.Model, in contentView: UIView, of parent: UIViewController?, cancelsLoadWhenHidden: Bool,
      create: @escaping () -> Controller
    ) {
      let host =
        host
        ?? CellHost(cancelsLoadWhenHidden: cancelsLoadWhenHidden) { [weak contentView, weak parent] in
          RowChild(create(), in: contentView, of: parent)
        }
      self.host = host
      host.configure(with: model)
    }

    func willDisplay() { host?.willDisplay() }
    func didEndDisplaying() { host?.didEndDisplaying() }
    func prepareForReuse() { host?.prepareForReuse() }
  }

  /// A row's controller in its cell. A view controller is contained in Apple's order: attached at the first model,
  /// detached when the cell is released.
  @MainActor
  final class RowChild<Controller: RowController>: @MainActor ReusableController {
    let controller: Controller
    private weak var contentView: UIView?
    private weak var parent: UIViewController?

    private var viewController: UIViewController? { parent == nil ? nil : controller as? UIViewController }

    init(_ controller: Controller, in contentView: UIView?, of parent: UIViewController?) {
      self.controller = controller
      self.contentView = contentView
      self.parent = parent
    }

    func configure(with model: Controller.Model) { controller.configure(with: model) }
    func prepareForReuse() { controller.prepareForReuse() }
    func cancelLoad() { controller.cancelLoad() }

    func willAttach() {
      if let viewController { parent?.addChild(viewController) }
      controller.willAttach()
      guard let contentView else { return }
      controller.rowView.frame = contentView.bounds
      controller.rowView.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      contentView.addSubview(controller.rowView)
    }

    func didAttach() {
      viewController?.didMove(toParent: parent)
      controller.didAttach()
    }

    func willDetach() {
      viewController?.willMove(toParent: nil)
      controller.willDetach()
    }

    func didDetach() {
      controller.rowView.removeFromSuperview()
      viewController?.removeFromParent()
      controller.didDetach()
    }

    func willAppear(animated: Bool) { controller.willAppear(animated: animated) }
    func didAppear(animated: Bool) { controller.didAppear(animated: animated) }
    func willDisappear(animated: Bool) { controller.willDisappear(animated: animated) }
    func didDisappear(animated: Bool) { controller.didDisappear(animated: animated) }
  }

  /// A cell of a table whose content is a controller.
  @MainActor
  public final class ControllerCell<Controller: RowController>: UITableViewCell, @MainActor CellDisplay {
    private let content = CellContent<Controller>()

    /// The controller; nil before the first model.
    public var controller: Controller? { content.controller }

    /// Shows `model` from now on. Another model ends the former one first.
    ///
    /// - Parameters:
    ///   - model: What the row shows.
    ///   - parent: The parent of controllers that are view controllers. It must forward appearance, as all do by default.
    ///   - cancelsLoadWhenHidden: Whether the row's load is cancelled when the cell is not visible any more.
    ///   - create: Creates the controller, once for each cell.
    public func show(
      _ model: Controller.Model, in parent: UIViewController? = nil, cancelsLoadWhenHidden: Bool = false,
      create: @escaping () -> Controller
    ) {
      content.show(
        model, in: contentView, of: parent, cancelsLoadWhenHidden: cancelsLoadWhenHidden, create: create)
    }

    /// Called by the table's delegate. The controller appears.
    public func willDisplay(animated: Bool) { content.willDisplay() }
    /// Called by the table's delegate. The controller disappears.
    public func didEndDisplaying(animated: Bool) { content.didEndDisplaying() }
    /// The model ends.
    public override func prepareForReuse() {
      super.prepareForReuse()
      content.prepareForReuse()
    }
  }

  /// A cell of a collection whose content is a controller.
  @MainActor
  public final class ControllerItem<Controller: RowController>: UICollectionViewCell, @MainActor CellDisplay {
    private let content = CellContent<Controller>()

    /// The controller; nil before the first model.
    public var controller: Controller? { content.controller }

    /// Shows `model` from now on. Another model ends the former one first.
    ///
    /// - Parameters:
    ///   - model: What the item shows.
    ///   - parent: The parent of controllers that are view controllers. It must forward appearance, as all do by default.
    ///   - cancelsLoadWhenHidden: Whether the item's load is cancelled when the cell is not visible any more.
    ///   - create: Creates the controller, once for each cell.
    public func show(
      _ model: Controller.Model, in parent: UIViewController? = nil, cancelsLoadWhenHidden: Bool = false,
      create: @escaping () -> Controller
    ) {
      content.show(
        model, in: contentView, of: parent, cancelsLoadWhenHidden: cancelsLoadWhenHidden, create: create)
    }

    /// Called by the collection's delegate. The controller appears.
    public func willDisplay(animated: Bool) { content.willDisplay() }
    /// Called by the collection's delegate. The controller disappears.
    public func didEndDisplaying(animated: Bool) { content.didEndDisplaying() }
    /// The model ends.
    public override func prepareForReuse() {
      super.prepareForReuse()
      content.prepareForReuse()
    }
  }
#endif
