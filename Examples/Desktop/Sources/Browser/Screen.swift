// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateGTK
import CGtk

/// What a screen displays where it has no content.
struct Texts {
  var loading = "Loading …"
  var nothing: String
  /// Where nothing was requested; nil: it was cancelled, and can be requested.
  var idle: String?
}

/// Parts of the content that are loaded by themselves.
@Gtk struct Parts {
  /// Why the next page was not loaded; nil: it was, or is not wanted yet.
  var pageFailure: Observed<(any Error)?> = .constant(nil)
  var loadPage: () -> Void = {}
  /// Requests again what rows could not load.
  var retryRows: () -> Void = {}
}

/// A resource on a stage: one content for all values, or a message with what can be done about it.
@Gtk final class Screen<Value> {
  let resource: AsyncResource<Value>
  let host: AsyncHost<Value>
  let stage: Stage<AsyncStatus<Value>>
  private let parts: Parts

  init(
    _ resource: AsyncResource<Value>, policy: DisplayPolicy<Value>, texts: Texts, content: WidgetChild,
    parts: Parts = Parts()
  ) {
    self.resource = resource
    self.parts = parts
    // The host keeps its closure, and the closure nothing that keeps the host.
    weak var screen: Screen?
    let failure = resource.observed.map { $0.value == nil ? nil : $0.error }
    let content = BanneredContent(
      content,
      failure: failure.zip(parts.pageFailure).map { refresh, page in
        refresh.map { "Not refreshed: \($0)" } ?? page.map { "The next ones were not loaded: \($0)" }
      },
      retry: {
        guard failure.current == nil else { return screen?.refresh() ?? () }
        parts.loadPage()
        parts.retryRows()
      })
    host = AsyncHost(resource, policy: policy, pacer: DisplayPacer(), animator: FrameClockAnimator()) { status in
      switch status {
      case .data: return [content]
      case .loading: return [Message(texts.loading, isBusy: true, action: ("Cancel", { resource.cancel() }))]
      case .error(let error): return [Message("\(error)", action: ("Try again", { screen?.host.reload() }))]
      case .noData: return [Message(texts.nothing)]
      case .waiting: return [Message("Waiting for a connection.")]
      case .idle:
        if let idle = texts.idle { return [Message(idle)] }
        return [Message("This was not loaded.", action: ("Load", { screen?.host.reload() }))]
      }
    }
    stage = Stage(host)
    screen = self
  }

  /// Requests the value again, and what its rows could not load.
  func refresh() {
    host.refresh()
    parts.retryRows()
  }
}

/// Content, and above it a banner with a button while the last request has failed.
@Gtk final class BanneredContent: WidgetChild {
  private let content: WidgetChild

  /// - Parameter failure: Why the content was not renewed; nil: it was.
  init(_ content: WidgetChild, failure: Observed<String?>, retry: @escaping () -> Void) {
    self.content = content
    let icon: Widget = gtk_image_new_from_icon_name("dialog-warning-symbolic")
    asyncstate_set_accessible_name(icon, "Warning")
    let label: Widget = gtk_label_new("")
    gtk_label_set_xalign(label.opaque, 0)
    gtk_label_set_wrap(label.opaque, 1)
    gtk_widget_set_hexpand(label, 1)
    let button: Widget = gtk_button_new_with_label("Try again")
    connect(button, "clicked", retry)
    let banner: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8)
    gtk_widget_set_margin_start(banner, 6)
    gtk_widget_set_margin_end(banner, 6)
    gtk_widget_set_margin_bottom(banner, 6)
    for part in [icon, label, button] { gtk_box_append(banner.cast(), part) }
    let box: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
    gtk_widget_set_vexpand(content.widget, 1)
    for part in [banner, content.widget] { gtk_box_append(box.cast(), part) }
    super.init(box)
    bind(banner, "visible", to: failure.map { $0 != nil })
    bind(label, "label", to: failure.map { $0 ?? "" })
  }

  override func willAppear(animated: Bool) { content.willAppear(animated: animated) }
  override func didAppear(animated: Bool) { content.didAppear(animated: animated) }
  override func willDisappear(animated: Bool) { content.willDisappear(animated: animated) }
  override func didDisappear(animated: Bool) { content.didDisappear(animated: animated) }
}

/// A text in the middle, and a button.
@Gtk final class Message: WidgetChild {
  private let spinner: Widget?

  init(_ text: String, isBusy: Bool = false, action: (title: String, perform: () -> Void)? = nil) {
    let box: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12)
    gtk_widget_set_valign(box, GTK_ALIGN_CENTER)
    gtk_widget_set_halign(box, GTK_ALIGN_CENTER)
    spinner = isBusy ? gtk_spinner_new() : nil
    let label: Widget = gtk_label_new(text)
    gtk_label_set_wrap(label.opaque, 1)
    if let spinner { gtk_box_append(box.cast(), spinner) }
    gtk_box_append(box.cast(), label)
    if let action {
      let button: Widget = gtk_button_new_with_label(action.title)
      gtk_widget_set_halign(button, GTK_ALIGN_CENTER)
      connect(button, "clicked", action.perform)
      gtk_box_append(box.cast(), button)
    }
    super.init(box)
  }

  override func willAppear(animated: Bool) { if let spinner { gtk_spinner_start(spinner.opaque) } }
  override func didDisappear(animated: Bool) { if let spinner { gtk_spinner_stop(spinner.opaque) } }
}
