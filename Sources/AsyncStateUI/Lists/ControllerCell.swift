// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS)
  public import AsyncStateLists
  public import UIKit

  /// The content of a row that has a view controller of its own, for any cell of a table or collection view.
  ///
  /// ```swift
  /// cell.contentConfiguration = ControllerConfiguration(post, in: self) { PostViewController() }
  /// ```
  ///
  /// The controller is created at the first model of the cell, is contained in `parent`, and displays one model after
  /// another: a model that is not the previous one ends that first. Its view fills the cell by constraints, so that rows can
  /// be as high as their contents; the list measures a row again when its constraints change, as when its value arrives. It
  /// appears and disappears with the cell, whichever object is the delegate of the list.
  public struct ControllerConfiguration<Controller: UIViewController & ReusableController>: UIContentConfiguration {
    let model: Controller.Model
    /// The copies of one configuration are the same. A cell applies `updated(for:)` at every touch, and a model need not
    /// be `Equatable`.
    let identity = Identity()
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
          if let cell {
            cell.addSubview(controller.view)
            controller.view.fill(cell)
          }
          controller.didMove(toParent: parent)
          return controller
        }
      }
    }

    final class Identity: Sendable {}

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
    private var shown: ControllerConfiguration<Controller>.Identity?
    private var ending: AfterRelease?

    /// The controller.
    public var controller: Controller? { host?.controller }

    /// The content of the cell.
    public var configuration: any UIContentConfiguration {
      didSet { show() }
    }

    init(_ configuration: ControllerConfiguration<Controller>) {
      self.configuration = configuration
      super.init(frame: .zero)
      let host = configuration.makeHost(self)
      self.host = host
      show()
      ending = AfterRelease {
        let controller = host.controller
        // The parent may be released before.
        if controller?.parent != nil { controller?.willMove(toParent: nil) }
        // Ends the display and the model.
        host.prepareForReuse()
        controller?.viewIfLoaded?.removeFromSuperview()
        controller?.removeFromParent()
      }
    }

    @available(*, unavailable, message: "Make a ControllerConfiguration.")
    required init?(coder: NSCoder) { fatalError("AsyncStateUI: a ControllerCell has no archived form.") }

    private func show() {
      guard let content = configuration as? ControllerConfiguration<Controller>, content.identity !== shown else {
        return
      }
      shown = content.identity
      host?.configure(with: content.model)
      if window != nil { host?.willDisplay() }
    }

    /// The controller appears or disappears.
    public override func didMoveToWindow() {
      super.didMoveToWindow()
      enclosingList?.measuresRowsAgain()
      ListCall.run { if window == nil { host?.didEndDisplaying() } else { host?.willDisplay() } }
    }

    // A list may keep a cell that it does not display in its window: its adapters say more than the window.

    /// Called by ``TableRows`` and ``CollectionItems``. The controller appears.
    public func willDisplay(animated: Bool) { host?.willDisplay(animated: animated) }
    /// Called by ``TableRows`` and ``CollectionItems``. The controller disappears.
    public func didEndDisplaying(animated: Bool) { host?.didEndDisplaying(animated: animated) }
    /// The model ends. The same configuration may begin it again.
    public func prepareForReuse() {
      shown = nil
      host?.prepareForReuse()
    }
  }
#endif
