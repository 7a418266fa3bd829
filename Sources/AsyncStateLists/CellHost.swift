// SPDX-License-Identifier: MIT
public import AsyncState

/// A controller that shows one model after another: the content of a cell, separate from the list's controller.
public protocol ReusableController: ChildController {
  /// The model of a row.
  associatedtype Model

  /// Shows `model` from now on: that of another row, or of the same one whose contents have changed.
  func configure(with model: Model)

  /// Ends the current model: forget it, and reset what was loaded for it. A ``CellHost`` calls this before it configures
  /// the controller with another model.
  func prepareForReuse()

  /// Cancels a load that runs for the current model, and keeps what is there. A ``CellHost`` with
  /// `cancelsLoadWhenHidden` calls this when the display ends. The default does nothing.
  func cancelLoad()
}

extension ReusableController {
  /// Does nothing.
  public func cancelLoad() {}
}

/// The calls of a view framework on a cell, whatever the cell shows. Every ``CellHost`` conforms, so that a list with
/// several kinds of cell needs no casts.
public protocol CellDisplay: AnyObject {
  /// The cell is about to be visible: its controller appears. Does nothing before the first model, or while the cell is
  /// displayed.
  func willDisplay(animated: Bool)

  /// The cell is not visible any more: its controller disappears. Does nothing while the cell is not displayed.
  func didEndDisplaying(animated: Bool)

  /// The cell is about to be used for another row: ends the display and the model. Does nothing without a model.
  func prepareForReuse()
}

extension CellDisplay {
  /// The cell is about to be visible, not animated.
  public func willDisplay() { willDisplay(animated: false) }

  /// The cell is not visible any more, not animated.
  public func didEndDisplaying() { didEndDisplaying(animated: false) }
}

/// Gives a cell of a view framework a controller of its own.
///
/// The cell forwards the framework's calls, however the framework repeats or skips them. The controller is created and
/// attached at the first model and kept for all later ones; each model ends before the next one begins, and it appears
/// and disappears in pairs. When the host is released, the controller disappears and is detached as soon as the actor is
/// free. It belongs to the actor that created it, and calls its closures there.
public final class CellHost<Controller: ReusableController>: CellDisplay {
  private let create: () -> Controller
  private let cancelsLoadWhenHidden: Bool

  /// A call of the cell's.
  private enum Step {
    case configure(Controller.Model)
    case display(animated: Bool)
    case endDisplay(animated: Bool)
    case prepareForReuse
  }

  // State, changed only on the owner's actor. A display has a model: `isDisplaying` implies `model`, and `model` implies
  // `controller`. A call that is made inside a callback of the controller's waits until the current one is carried out.
  private var model: Controller.Model?
  private var isDisplaying = false
  private var isCarryingOut = false
  private var waiting = WaitingLine<Step>()
  private let isSameRow = RowIdentity<Controller.Model>().isSameRow

  /// Where the controller is called when the host is released; nil if no actor is known. Weak, because a host may be a
  /// property of its actor.
  private weak var home: (any Actor)?

  /// The controller; nil before the first model.
  public private(set) var controller: Controller?

  /// A host without a controller yet.
  ///
  /// - Parameters:
  ///   - cancelsLoadWhenHidden: Whether the controller's load is cancelled when the display ends, as
  ///     ``ReusableController/cancelLoad()`` says.
  ///   - create: Creates the controller, once, at the first model.
  public init(cancelsLoadWhenHidden: Bool = false, create: @escaping () -> Controller) {
    self.cancelsLoadWhenHidden = cancelsLoadWhenHidden
    self.create = create
  }

  deinit {
    guard let controller, let home else { return }
    let (isDisplaying, cancelsLoadWhenHidden) = (isDisplaying, cancelsLoadWhenHidden)
    perform(on: home) {
      if isDisplaying { controller.endDisplay(animated: false, cancelsLoad: cancelsLoadWhenHidden) }
      controller.willDetach()
      controller.didDetach()
    }
  }

  /// Shows `model` from now on.
  ///
  /// Another model than the current one ends that first, as ``prepareForReuse()`` does; a cell that is displayed is
  /// displayed again with the new one. An `Identifiable` model with the same `id` is the same row, whatever else has changed:
  /// it is only configured again. Of others the same model is the same object for class instances, else an equal one.
  ///
  /// - Parameters:
  ///   - model: What the cell shows.
  ///   - isolation: The actor that the host belongs to, and on which its release ends the display.
  public func configure(with model: Controller.Model, isolation: isolated (any Actor)? = #isolation) {
    if let isolation { home = isolation }
    carryOut(.configure(model))
  }

  /// The controller appears.
  public func willDisplay(animated: Bool) {
    carryOut(.display(animated: animated))
  }

  /// The controller disappears, and its load is cancelled if the host was created with that option.
  public func didEndDisplaying(animated: Bool) {
    carryOut(.endDisplay(animated: animated))
  }

  /// The display and the model end; the controller stays attached.
  public func prepareForReuse() {
    carryOut(.prepareForReuse)
  }
}

// MARK: - Steps

extension CellHost {
  private func carryOut(_ step: Step) {
    guard !isCarryingOut else { return waiting.append(step) }
    isCarryingOut = true
    enact(step)
    while let step = waiting.takeFirst() { enact(step) }
    isCarryingOut = false
  }

  private func enact(_ step: Step) {
    switch step {
    case .configure(let model): show(model)
    case .display(let animated): beginDisplay(animated: animated)
    case .endDisplay(let animated): endDisplay(animated: animated)
    case .prepareForReuse: endModel()
    }
    assert(!isDisplaying || model != nil, "only a model is displayed")
    assert(model == nil || controller != nil, "a controller shows the model")
  }

  private func show(_ model: Controller.Model) {
    let controller = controller ?? attach()
    let wasDisplaying = isDisplaying
    if let current = self.model, !isSameRow(current, model) { endModel() }
    self.model = model
    controller.configure(with: model)
    if wasDisplaying { beginDisplay(animated: false) }
  }

  private func attach() -> Controller {
    let controller = create()
    self.controller = controller
    controller.willAttach()
    controller.didAttach()
    return controller
  }

  private func beginDisplay(animated: Bool) {
    guard let controller, model != nil, !isDisplaying else { return }
    isDisplaying = true
    controller.willAppear(animated: animated)
    controller.didAppear(animated: animated)
  }

  private func endDisplay(animated: Bool) {
    guard let controller, isDisplaying else { return }
    isDisplaying = false
    controller.endDisplay(animated: animated, cancelsLoad: cancelsLoadWhenHidden)
  }

  private func endModel() {
    endDisplay(animated: false)
    guard let controller, let former = model.take() else { return }
    controller.prepareForReuse()
    withExtendedLifetime(former) {}
  }
}

extension ReusableController {
  fileprivate func endDisplay(animated: Bool, cancelsLoad: Bool) {
    willDisappear(animated: animated)
    didDisappear(animated: animated)
    if cancelsLoad { cancelLoad() }
  }
}

extension CellHost: CustomStringConvertible {
  /// The type and the model, as in `CellHost<Portrait>: swan, displayed`.
  ///
  /// Call it on the actor of the cell.
  public var description: String {
    "\(Self.self): \(model.map { brief($0) } ?? "empty")\(isDisplaying ? ", displayed" : "")"
  }
}
