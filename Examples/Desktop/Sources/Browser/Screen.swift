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

/// A resource on a stage: one content for all values, or a message with what can be done about it.
@Gtk final class Screen<Value> {
  let resource: AsyncResource<Value>
  let host: AsyncHost<Value>
  let stage: Stage<AsyncStatus<Value>>

  init(_ resource: AsyncResource<Value>, policy: DisplayPolicy<Value>, texts: Texts, content: WidgetChild) {
    self.resource = resource
    // The host keeps its closure, and the closure nothing that keeps the host.
    weak var reloading: AsyncHost<Value>?
    host = AsyncHost(resource, policy: policy, pacer: DisplayPacer(), animator: FrameClockAnimator()) { status in
      switch status {
      case .data: return [content]
      case .loading: return [Message(texts.loading, isBusy: true, action: ("Cancel", { resource.cancel() }))]
      case .error(let error): return [Message("\(error)", action: ("Try again", { reloading?.reload() }))]
      case .noData: return [Message(texts.nothing)]
      case .waiting: return [Message("Waiting for a connection.")]
      case .idle:
        if let idle = texts.idle { return [Message(idle)] }
        return [Message("This was not loaded.", action: ("Load", { reloading?.reload() }))]
      }
    }
    stage = Stage(host)
    reloading = host
  }
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
