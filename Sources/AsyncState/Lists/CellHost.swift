/// Gives a cell of a view framework a controller of its own.
///
/// The framework's callbacks go in; the controller gets its models, and appearing and disappearing in pairs, however
/// the framework repeats or skips. The controller is made at the first model, and kept for all later ones.
public final class CellHost<Controller: ReusableController> {
  private let create: () -> Controller
  private var isDisplaying = false

  /// The controller; nil before the first model.
  public private(set) var controller: Controller?

  /// A host without a controller yet.
  ///
  /// - Parameter create: Makes the controller, once, at the first model.
  public init(create: @escaping () -> Controller) {
    self.create = create
  }

  deinit {
    didEndDisplaying(animated: false)
  }

  /// Shows `model` from now on.
  public func configure(with model: Controller.Model) {
    let controller = controller ?? create()
    self.controller = controller
    controller.configure(with: model)
  }

  /// The cell comes into view: the controller appears. Does nothing before the first model, or while the cell is in
  /// view.
  public func willDisplay(animated: Bool = false) {
    guard let controller, !isDisplaying else { return }
    isDisplaying = true
    controller.willAppear(animated: animated)
    controller.didAppear(animated: animated)
  }

  /// The cell goes out of view: the controller disappears. Does nothing while the cell is out of view.
  public func didEndDisplaying(animated: Bool = false) {
    guard let controller, isDisplaying else { return }
    isDisplaying = false
    controller.willDisappear(animated: animated)
    controller.didDisappear(animated: animated)
  }

  /// The row is over: ends a display that is still on, and tells the controller. Does nothing before the first model.
  public func prepareForReuse() {
    didEndDisplaying(animated: false)
    controller?.prepareForReuse()
  }
}
