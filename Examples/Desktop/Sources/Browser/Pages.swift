// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateGTK
import AsyncStateJournal
import CGtk

/// A folder that was opened: its list keeps its place and its selection while other pages are above it.
@Gtk package final class FolderPage {
  let path: String
  let screen: Screen<Listing>
  package let list: CellList<FileRow>
  package var resource: AsyncResource<Listing> { screen.resource }

  init(_ path: String, _ folder: AsyncResource<Listing>, options: LoadOptions) {
    self.path = path
    list = CellList(folder.observed.map { $0.value?.items ?? [] }, name: "Files", rowName: \.name) {
      FileRow(options: options)
    }
    screen = Screen(
      folder, policy: .emptyIsNoData(idle: .idle),
      texts: Texts(loading: "Opening \(path) …", nothing: "This folder is empty."), content: list,
      parts: Parts(
        pageFailure: folder.observed.map(\.nextPage.error), loadPage: { Task { await folder.loadNext() } },
        retryRows: { [list] in list.displayedRows.forEach { $0.retry() } }))
    list.onDisplay = { folder.displaying($0) }
  }
}

/// What was found.
@Gtk final class SearchPage {
  let screen: Screen<[Entry]>
  let list: CellList<FileRow>

  init(_ results: AsyncResource<[Entry]>, options: LoadOptions) {
    list = CellList(results.observed.map { $0.value ?? [] }, name: "Results", rowName: \.name) {
      FileRow(options: options)
    }
    screen = Screen(
      results, policy: .emptyIsNoData(idle: .idle),
      texts: Texts(loading: "Searching …", nothing: "Nothing was found."), content: list,
      parts: Parts(retryRows: { [list] in list.displayedRows.forEach { $0.retry() } }))
  }
}

/// The selected file.
@Gtk final class DetailsPane {
  let screen: Screen<Details>

  init(_ details: AsyncResource<Details>) {
    let facts: Widget = gtk_label_new("")
    let preview: Widget = gtk_text_view_new()
    gtk_text_view_set_editable(preview.cast(), 0)
    gtk_text_view_set_monospace(preview.cast(), 1)
    gtk_text_view_set_wrap_mode(preview.cast(), GTK_WRAP_WORD_CHAR)
    gtk_text_view_set_left_margin(preview.cast(), 6)
    gtk_text_view_set_right_margin(preview.cast(), 6)
    asyncstate_set_accessible_name(preview, "Preview")
    gtk_label_set_xalign(facts.opaque, 0)
    gtk_label_set_ellipsize(facts.opaque, PANGO_ELLIPSIZE_MIDDLE)
    let scrolled: Widget = gtk_scrolled_window_new()
    gtk_scrolled_window_set_child(scrolled.opaque, preview)
    gtk_widget_set_vexpand(scrolled, 1)
    let box: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6)
    for part in [facts, scrolled] { gtk_box_append(box.cast(), part) }
    bind(facts, "label", to: details.observed.map { $0.value.map { "\($0.name), \($0.facts)" } ?? "" })
    let buffer = gtk_text_view_get_buffer(preview.cast())!
    bind(buffer, "text", to: details.observed.map { $0.value?.preview ?? "" })
    screen = Screen(
      details, policy: DisplayPolicy(idle: .idle), texts: Texts(nothing: "No details.", idle: "Select a file."),
      content: WidgetChild(box))
  }
}

/// The journal as text, as it was when it appeared.
@Gtk final class JournalPage: WidgetChild {
  private let journal: StateJournal
  private let text: Widget = gtk_text_view_new()
  private let buffer: UnsafeMutablePointer<GtkTextBuffer>

  init(_ journal: StateJournal) {
    self.journal = journal
    gtk_text_view_set_editable(text.cast(), 0)
    gtk_text_view_set_monospace(text.cast(), 1)
    gtk_text_view_set_left_margin(text.cast(), 6)
    gtk_text_view_set_right_margin(text.cast(), 6)
    asyncstate_set_accessible_name(text, "Journal")
    buffer = gtk_text_view_get_buffer(text.cast())
    let scrolled: Widget = gtk_scrolled_window_new()
    gtk_scrolled_window_set_child(scrolled.opaque, text)
    super.init(scrolled)
  }

  override func willAppear(animated: Bool) {
    StateJournal.timeline(of: journal.entries.suffix(120)).set("text", of: buffer)
  }

  /// The newest entries are the last ones.
  override func didAppear(animated: Bool) {
    var end = GtkTextIter()
    gtk_text_buffer_get_end_iter(buffer, &end)
    gtk_text_iter_set_line_offset(&end, 0)
    gtk_text_buffer_place_cursor(buffer, &end)
    gtk_text_view_scroll_mark_onscreen(text.cast(), gtk_text_buffer_get_insert(buffer))
  }
}
