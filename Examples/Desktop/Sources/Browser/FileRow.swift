// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateGTK
import AsyncStateLists
import CGtk

/// A row: the name at once, the icon and the size when they have arrived.
@Gtk package final class FileRow: WidgetChild {
  private let label: Widget = gtk_label_new("")
  private let loading: LoadingRow<Entry, Summary>

  init(options: LoadOptions) {
    loading = LoadingRow(isolation: Gtk.shared, options: options) { try await Files.summary(of: $0) }
    let row: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8)
    let icon: Widget = gtk_image_new()
    let size: Widget = gtk_label_new("")
    gtk_label_set_xalign(label.opaque, 0)
    gtk_label_set_ellipsize(label.opaque, PANGO_ELLIPSIZE_MIDDLE)
    gtk_widget_set_hexpand(label, 1)
    gtk_widget_add_css_class(size, "dim-label")
    // Rows do not touch the edges of their list.
    gtk_widget_set_margin_start(row, 6)
    gtk_widget_set_margin_end(row, 6)
    for part in [icon, label, size] { gtk_box_append(row.cast(), part) }
    super.init(row)

    let summary = loading.resource.observed
    let noIcon = summary.map { $0.error == nil ? "content-loading-symbolic" : "dialog-question-symbolic" }
    bind(icon, "icon-name", to: summary.zip(noIcon).map { $0.value?.kind.icon ?? $1 })
    let kind = summary.map { $0.value?.kind.rawValue ?? ($0.error == nil ? "Loading" : "Unknown") }
    bind(icon, "tooltip-text", to: kind)
    retain(kind.observe { asyncstate_set_accessible_name(icon, $0) }, by: icon)
    bind(size, "label", to: summary.map { $0.value?.text ?? ($0.error == nil ? "…" : "✗") })
    bind(size, "tooltip-text", to: summary.map { $0.error.map { "\($0)" } ?? "" })
  }

  /// Requests again what could not be loaded.
  func retry() {
    if loading.resource.error != nil { loading.resource.start(when: .stale) }
  }

  override package func willAppear(animated: Bool) { loading.willAppear(animated: animated) }
  override package func didDisappear(animated: Bool) { loading.didDisappear(animated: animated) }
}

extension FileRow: @Gtk ReusableController {
  package func configure(with entry: Entry) {
    gtk_label_set_text(label.opaque, entry.name)
    loading.configure(with: entry)
  }

  package func prepareForReuse() { loading.prepareForReuse() }
  package func cancelLoad() { loading.cancelLoad() }
}
