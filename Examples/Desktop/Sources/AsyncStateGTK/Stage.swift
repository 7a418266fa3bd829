// SPDX-License-Identifier: MIT
import AsyncState
import CGtk

/// Displays the children of a container in an overlay, from bottom to top.
///
/// It is a child itself, whose life cycle it forwards, so that stages nest. The outermost one is in a window:
/// ``present(in:)`` and ``dismiss(_:)`` order the window's own appearance between "will" and "did".
@Gtk public final class Stage<State>: WidgetChild {
  private let controller: any ChildController
  private let container: StateContainer<State>
  private var arranged: [WidgetChild] = []

  /// A stage of a container.
  public convenience init(_ container: StateContainer<State>) {
    self.init(container, forwardingTo: container)
  }

  /// A stage of a host.
  public convenience init<Value>(_ host: AsyncHost<Value>) where State == AsyncStatus<Value> {
    self.init(host.container, forwardingTo: host)
  }

  private init(_ container: StateContainer<State>, forwardingTo controller: any ChildController) {
    (self.container, self.controller) = (container, controller)
    let overlay: Widget = gtk_overlay_new()
    gtk_widget_set_hexpand(overlay, 1)
    gtk_widget_set_vexpand(overlay, 1)
    super.init(overlay)
    container.delegate = self
  }

  override public func willAppear(animated: Bool) { controller.willAppear(animated: animated) }
  override public func didAppear(animated: Bool) { controller.didAppear(animated: animated) }
  override public func willDisappear(animated: Bool) { controller.willDisappear(animated: animated) }
  override public func didDisappear(animated: Bool) { controller.didDisappear(animated: animated) }

  /// Makes the window visible, and the children with it.
  public func present(in window: UnsafeMutablePointer<GtkWindow>) {
    willAppear(animated: false)
    gtk_window_present(window)
    didAppear(animated: false)
  }

  /// Makes the window invisible, and the children with it. Call it for `close-request`: the only signal of GTK that
  /// precedes a disappearance.
  public func dismiss(_ window: UnsafeMutablePointer<GtkWindow>) {
    willDisappear(animated: false)
    gtk_widget_set_visible(window.cast(), 0)
    didDisappear(animated: false)
  }
}

extension Stage: @Gtk StateContainerDelegate {
  /// Adds and removes widgets, and orders them.
  public func container(_ container: StateContainer<State>, didArrange children: [any ChildController]) {
    let overlay = widget.opaque
    let children = children.compactMap { $0 as? WidgetChild }
    for child in arranged where !children.contains(where: { $0 === child }) {
      gtk_overlay_remove_overlay(overlay, child.widget)
    }
    for child in children where !arranged.contains(where: { $0 === child }) {
      gtk_overlay_add_overlay(overlay, child.widget)
      gtk_overlay_set_measure_overlay(overlay, child.widget, 1)
    }
    // Moves each behind the others, and maps none anew.
    for child in children { gtk_widget_insert_before(child.widget, widget, nil) }
    arranged = children
  }
}
