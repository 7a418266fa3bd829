// SPDX-License-Identifier: MIT
public import AsyncState

/// The controller of the content of a cell. It shows one model after another, separate from the list's controller.
public protocol ReusableController: ChildController {
  /// The model of a row.
  associatedtype Model

  /// Shows `model`: that of another row, or of the same row with other contents.
  func configure(with model: Model)

  /// Ends the current model. The controller forgets it, and the data that was loaded for it, by `forget()`: over a
  /// `reset()` a pacer keeps the content for a moment. A ``CellHost`` calls this before it configures the controller
  /// with another model.
  func prepareForReuse()

  /// Cancels a load that runs for the current model, and keeps the displayed content. A ``CellHost`` with
  /// `cancelsLoadWhenHidden` calls this when the display ends. The default does nothing.
  func cancelLoad()
}

extension ReusableController {
  /// Does nothing.
  public func cancelLoad() {}
}

/// The calls of a view framework to a cell, without the type of its model. Every ``CellHost`` conforms, so that a list
/// with several kinds of cell needs no casts.
public protocol CellDisplay: AnyObject {
  /// Makes the controller appear, because the cell is about to be visible. Does nothing before the first model, or
  /// while the cell is displayed.
  func willDisplay(animated: Bool)

  /// Makes the controller disappear, because the cell is not visible any more. Does nothing while the cell is not
  /// displayed.
  func didEndDisplaying(animated: Bool)

  /// Ends the display and the model, because the cell is about to be used for another row. Does nothing without a
  /// model.
  func prepareForReuse()
}

extension CellDisplay {
  /// Makes the controller appear, not animated.
  public func willDisplay() { willDisplay(animated: false) }

  /// Makes the controller disappear, not animated.
  public func didEndDisplaying() { didEndDisplaying(animated: false) }
}

/// Gives a cell of a view framework a controller of its own.
///
/// The cell forwards the framework's calls, which may be repeated or missing. The controller is created and attached at
/// the first model, and is kept for all later ones. Each model ends before the next one begins, and the controller
/// appears and disappears in pairs. When the host is released, the controller disappears and is detached as soon as the
/// actor is free.
///
/// A host belongs to the actor that created it, and calls its closures there.
public final class CellHost<Controller: ReusableController>: CellDisplay {
  private let create: () -> Controller
  private let cancelsLoadWhenHidden: Bool

  /// A call from the cell.
  private enum Step {
    case configure(Controller.Model)
    case display(animated: Bool)
    case endDisplay(animated: Bool)
    case prepareForReuse
  }

  // The state is changed only on the owner's actor. A display has a model: `isDisplaying` implies `model`, and `model`
  // implies `controller`. A call from inside a callback of the controller waits until the current call has been carried
  // out.
  private var model: Controller.Model?
  private var isDisplaying = false
  private var isCarryingOut = false
  private var waiting = WaitingLine<Step>()
  private let isSameRow = RowIdentity<Controller.Model>().isSameRow

  /// The actor on which the controller is called when the host is released; nil if no actor is known. Weak, because a
  /// host may be a property of its actor.
  private weak var home: (any Actor)?

  /// The controller; nil before the first model.
  public private(set) var controller: Controller?

  /// Creates a host. Its controller is created at the first model.
  ///
  /// - Parameters:
  ///   - cancelsLoadWhenHidden: True to call ``ReusableController/cancelLoad()`` when the display ends.
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

  /// Shows `model`.
  ///
  /// A model of another row first ends the current one, as ``prepareForReuse()`` does; a cell that is displayed appears
  /// again with the new model. A model of the same row only configures the controller again. `Identifiable` models are
  /// of the same row if they have the same `id`, even if their contents differ. Other models are of the same row if
  /// they are the same object, or values that are equal by `==`.
  ///
  /// - Parameters:
  ///   - model: The model to show.
  ///   - isolation: The actor that the host belongs to. When the host is released, the display ends on it.
  public func configure(with model: Controller.Model, isolation: isolated (any Actor)? = #isolation) {
    if let isolation { home = isolation }
    carryOut(.configure(model))
  }

  /// Makes the controller appear.
  public func willDisplay(animated: Bool) {
    carryOut(.display(animated: animated))
  }

  /// Makes the controller disappear, and cancels its load if the host was created with that option.
  public func didEndDisplaying(animated: Bool) {
    carryOut(.endDisplay(animated: animated))
  }

  /// Ends the display and the model. The controller stays attached.
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
