// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import AsyncState
  #if canImport(UIKit)
    import UIKit
  #else
    import AppKit
  #endif

  /// The controller of a screen's values: one that stays if it is an `AsyncContent`, otherwise another one for each value.
  ///
  /// What stays gets a value when its view is loaded, and that is not loaded before the view of its screen.
  @MainActor
  final class ScreenContent<Value> {
    private let make: (Value) -> ViewController
    /// A content that stays.
    private var controller: ViewController?
    /// A content that was made for one value, which is kept by the screen that displays it.
    private weak var ofOneValue: ViewController?
    /// The write whose value the content has.
    private var write: UInt32?
    private var isScreenLoaded = false
    /// The value that was not applied yet.
    private var waiting: Value?

    init(_ make: @escaping (Value) -> ViewController) { self.make = make }

    /// The content that gets each value; nil before the first one, and where each value has a controller of its own.
    var lasting: (any AsyncContent<Value>)? { controller as? any AsyncContent<Value> }

    /// The controller of a value, which that is applied to.
    ///
    /// - Parameter write: The write of the value. One that is displayed again, because it was marked, has its controller already.
    func controller(for value: Value, ofWrite write: UInt32?) -> ViewController {
      let former = self.write
      self.write = write
      if let controller {
        apply(value)
        return controller
      }
      if let ofOneValue, former == write { return ofOneValue }
      let content = make(value)
      if content is any AsyncContent<Value> {
        controller = content
        apply(value)
      } else {
        ofOneValue = content
      }
      return content
    }

    private func apply(_ value: Value) {
      waiting = .some(value)
      applyWaiting()
    }

    /// The content below what is displayed in its place: it stays where its value has become empty, and gets that, because it
    /// may be deleting its last row. Nil where there is none, or where the value is hidden.
    func controller(below resource: AsyncResource<Value>, _ policy: DisplayPolicy<Value>) -> ViewController? {
      guard lasting != nil, let value = resource.value, policy.isNothing(value) else { return nil }
      return controller(for: value, ofWrite: resource.writeCount)
    }

    /// Applies a value that is empty, as the one before it was, so that no other status is displayed.
    ///
    /// - Parameter displayed: What the screen displays.
    func followEmpty(
      _ resource: AsyncResource<Value>, _ policy: DisplayPolicy<Value>, displayed: AsyncStatus<Value>?
    ) {
      guard case .noData = displayed, write != resource.writeCount else { return }
      _ = controller(below: resource, policy)
    }

    /// The view of the screen is loaded.
    func screenDidLoad() {
      isScreenLoaded = true
      applyWaiting()
    }

    private func applyWaiting() {
      guard isScreenLoaded, let value = waiting, let controller else { return }
      // Its outlets are there from then on.
      controller.loadViewIfNeeded()
      waiting = nil
      lasting?.apply(value, animated: controller.viewIfLoaded?.window != nil)
    }
  }
#endif
