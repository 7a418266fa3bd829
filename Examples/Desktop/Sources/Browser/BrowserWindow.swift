// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateGTK
import CGtk

/// The window of a browser.
@Gtk package final class BrowserWindow {
  package var widget: Widget { window.cast() }

  private let browser: Browser
  private let window: UnsafeMutablePointer<GtkWindow>
  private let search: Widget = gtk_entry_new()
  private let name: Widget = gtk_entry_new()
  private var token: ObservedToken?

  package init(_ browser: Browser, in application: UnsafeMutablePointer<GtkApplication>) {
    self.browser = browser
    window = gtk_application_window_new(application).cast()
    gtk_window_set_title(window, "Files")
    gtk_window_set_default_size(window, 860, 560)
    let rows: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6)
    gtk_widget_set_margin_top(rows, 6)
    gtk_widget_set_margin_bottom(rows, 6)
    style()
    for row in [toolbar(), parts(), toast(), statusBar()] { gtk_box_append(rows.cast(), row) }
    gtk_window_set_child(window, rows)
    connect(window, "close-request") { [weak self] in self?.close() }
    listenToKeys()
  }

  /// Makes the window visible.
  package func present() {
    browser.details.screen.stage.willAppear(animated: false)
    browser.stage.present(in: window)
    browser.details.screen.stage.didAppear(animated: false)
  }

  private func close() {
    browser.details.screen.stage.willDisappear(animated: false)
    browser.stage.dismiss(window)
    browser.details.screen.stage.didDisappear(animated: false)
    browser.cancel()
  }

  // MARK: Parts

  /// Grey words can be read in a selected row, too.
  private func style() {
    let provider = gtk_css_provider_new()!
    gtk_css_provider_load_from_data(provider, "row:selected .dim-label { opacity: 1; }", -1)
    gtk_style_context_add_provider_for_display(
      gtk_widget_get_display(widget), OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
    g_object_unref(provider)
  }

  private func toolbar() -> Widget {
    let back = button("Back") { [weak self] in self?.goBack() }
    bind(back, "sensitive", to: browser.canGoBack)
    let location: Widget = gtk_label_new("")
    gtk_label_set_xalign(location.opaque, 0)
    gtk_label_set_ellipsize(location.opaque, PANGO_ELLIPSIZE_START)
    gtk_widget_set_hexpand(location, 1)
    bind(location, "label", to: browser.location)
    let slow = toggle("Slow") { [browser] isOn in browser.backend.conditions.withLock { $0.isSlow = isOn } }
    let failing = toggle("Failing") { [browser] isOn in browser.backend.conditions.withLock { $0.isFailing = isOn } }
    asyncstate_set_accessible_name(search, "Search")
    gtk_entry_set_placeholder_text(search.cast(), "Search (Ctrl-F)")
    connect(search, "changed") { [browser, search] in browser.find(text(of: search)) }
    return box(GTK_ORIENTATION_HORIZONTAL, [back, location, slow, failing, search])
  }

  private func parts() -> Widget {
    asyncstate_set_accessible_name(name, "Name")
    gtk_entry_set_placeholder_text(name.cast(), "Name (F2)")
    connect(name, "activate") { [browser, name] in browser.rename(to: text(of: name)) }
    token = browser.selection.observe { [name] entry in gtk_editable_set_text(name.opaque, entry?.name ?? "") }
    bind(name, "sensitive", to: browser.selection.map { $0 != nil })
    let pane: Widget = gtk_paned_new(GTK_ORIENTATION_HORIZONTAL)
    gtk_paned_set_start_child(pane.opaque, browser.stage.widget)
    let details = box(GTK_ORIENTATION_VERTICAL, [name, browser.details.screen.stage.widget])
    gtk_widget_set_margin_end(details, 0)
    // Its width does not depend on what it displays.
    gtk_widget_set_size_request(details, 220, -1)
    gtk_paned_set_end_child(pane.opaque, details)
    gtk_paned_set_shrink_end_child(pane.opaque, 0)
    gtk_paned_set_position(pane.opaque, 520)
    gtk_widget_set_margin_start(pane, 6)
    gtk_widget_set_margin_end(pane, 6)
    return pane
  }

  private func toast() -> Widget {
    let notice = browser.renames.notice
    let text = notice.map { notice in
      switch notice {
      case .renamed(let rename): "Renamed to \(Entry(id: 0, path: rename.to, isFolder: false).name)."
      case .refused(let text): text
      case nil: ""
      }
    }
    let label: Widget = gtk_label_new("")
    gtk_label_set_ellipsize(label.opaque, PANGO_ELLIPSIZE_END)
    bind(label, "label", to: text)
    bind(label, "tooltip-text", to: text)
    let undo = button("Undo") { [browser] in browser.renames.undo() }
    let close: Widget = gtk_button_new_from_icon_name("window-close-symbolic")
    asyncstate_set_accessible_name(close, "Close")
    gtk_widget_set_tooltip_text(close, "Close")
    connect(close, "clicked") { [browser] in browser.renames.closeNotice() }
    let toast = box(GTK_ORIENTATION_HORIZONTAL, [label, undo, close])
    gtk_widget_set_halign(toast, GTK_ALIGN_CENTER)
    bind(undo, "visible", to: notice.map { if case .renamed = $0 { true } else { false } })
    bind(toast, "visible", to: notice.map { $0 != nil })
    return toast
  }

  private func statusBar() -> Widget {
    let label: Widget = gtk_label_new("")
    gtk_label_set_xalign(label.opaque, 0)
    bind(label, "label", to: browser.note)
    return box(GTK_ORIENTATION_HORIZONTAL, [label])
  }

  // MARK: Keys

  private func listenToKeys() {
    let keys = gtk_event_controller_key_new()!
    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
    gtk_widget_add_controller(window.cast(), keys)
    connect(keys.raw, "key-pressed") { [weak self] arguments in
      self?.press(
        arguments.number(1), control: arguments.flags(3) & Int(GDK_CONTROL_MASK.rawValue) != 0,
        alternate: arguments.flags(3) & Int(GDK_ALT_MASK.rawValue) != 0) ?? false
    }
  }

  /// - Returns: Whether the key is one of the browser's.
  private func press(_ key: Int, control: Bool, alternate: Bool) -> Bool {
    switch (Int32(key), control, alternate) {
    case (GDK_KEY_r, true, _): browser.refresh()
    case (GDK_KEY_f, true, _): gtk_widget_grab_focus(search)
    case (GDK_KEY_w, true, _): gtk_window_close(window)
    case (GDK_KEY_Left, _, true): goBack()
    case (GDK_KEY_F2, _, _): gtk_widget_grab_focus(name)
    case (GDK_KEY_F12, _, _): browser.toggleJournal()
    case (GDK_KEY_Escape, _, _): browser.cancel()
    default: return false
    }
    return true
  }

  private func goBack() {
    browser.goBack()
    if !browser.isSearching { gtk_editable_set_text(search.opaque, "") }
  }
}

@Gtk private func text(of entry: Widget) -> String { String(cString: gtk_editable_get_text(entry.opaque)) }

@Gtk private func button(_ title: String, _ body: @escaping () -> Void) -> Widget {
  let button: Widget = gtk_button_new_with_label(title)
  connect(button, "clicked", body)
  return button
}

@Gtk private func toggle(_ title: String, _ body: @escaping (Bool) -> Void) -> Widget {
  let toggle: Widget = gtk_toggle_button_new_with_label(title)
  connect(toggle, "toggled") { body(gtk_toggle_button_get_active(toggle.cast()) != 0) }
  return toggle
}

@Gtk private func box(_ orientation: GtkOrientation, _ parts: [Widget]) -> Widget {
  let box: Widget = gtk_box_new(orientation, 6)
  gtk_widget_set_margin_start(box, 6)
  gtk_widget_set_margin_end(box, 6)
  for part in parts { gtk_box_append(box.cast(), part) }
  return box
}
