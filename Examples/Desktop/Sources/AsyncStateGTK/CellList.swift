// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateLists
import CGtk

/// A list of rows that are reused, in a `GtkListView`: the calls of its factory are those of a `CellHost`.
///
/// | GTK | `CellHost` |
/// |---|---|
/// | setup | is created |
/// | bind | `configure(with:)`, `willDisplay()` |
/// | unbind | `didEndDisplaying()` |
/// | teardown | is released |
///
/// There is no `prepareForReuse()` at unbind: GTK also binds a row again where only its index has changed, and that one keeps
/// what it has loaded. `configure(with:)` ends the former row where it is another one.
///
/// GTK binds more rows than are in view, some two hundred around them.
@Gtk public final class CellList<Row: WidgetChild & ReusableController>: WidgetChild
where Row.Model: Identifiable & Equatable {
  /// What a row displays.
  public typealias Item = Row.Model

  /// The selected row; nil: none.
  public var selection: Observed<Item?> { selected.observed }
  /// Called when rows were bound, with the range of all rows that are bound, after GTK has arranged them.
  public var onDisplay: (Range<Int>) -> Void = { _ in }
  /// Called when a row is opened: by a double click, or by Return.
  public var onActivate: (Item) -> Void = { _ in }

  package let source: ListDataSource<Item, Void>
  private let rowName: (Item) -> String
  private let makeRow: () -> Row
  private let selected = Input<Item?>(nil)
  private let store = g_list_store_new(g_object_get_type())!
  private let model: OpaquePointer
  /// What `store` contains.
  package private(set) var rows: [ListedItem<Item>] = []
  package private(set) var cells: [OpaquePointer: CellHost<Row>] = [:]
  private var token: ObservedToken?
  private var willReport = false

  /// A list of items that change.
  ///
  /// - Parameters:
  ///   - items: The rows, in order.
  ///   - name: The name of the list for a screen reader.
  ///   - rowName: The name of a row for a screen reader.
  ///   - makeRow: Makes a row that displays one item after another.
  public init(
    _ items: Observed<[Item]>, name: String, rowName: @escaping (Item) -> String, makeRow: @escaping () -> Row
  ) {
    source = ListDataSource(items: items, dequeue: { _ in }, configure: { _, _ in })
    self.rowName = rowName
    self.makeRow = makeRow
    model = gtk_single_selection_new(store)
    gtk_single_selection_set_autoselect(model, 0)
    gtk_single_selection_set_can_unselect(model, 1)
    let factory: OpaquePointer = gtk_signal_list_item_factory_new()
    let list: Widget = gtk_list_view_new(model, factory)
    asyncstate_set_accessible_name(list, name)
    let scrolled: Widget = gtk_scrolled_window_new()
    gtk_scrolled_window_set_child(scrolled.opaque, list)
    super.init(scrolled)

    on(factory, "setup") { list, item in list.cells[item] = CellHost(create: list.makeRow) }
    on(factory, "bind") { list, item in list.bind(item) }
    on(factory, "unbind") { list, item in list.cells[item]?.didEndDisplaying() }
    on(factory, "teardown") { list, item in list.cells[item] = nil }
    connect(list, "activate") { [weak self] arguments in
      guard let self else { return false }
      self.onActivate(self.rows[arguments.number(1)].item)
      return false
    }
    connect(model.raw, "notify::selected-item") { [weak self] in self?.selectionDidChange() }
    token = source.observeChanges { [weak self] change in self?.apply(change) }
    insert(0..<source.count)
  }

  private func on(
    _ factory: OpaquePointer, _ signal: String, _ body: @escaping (CellList, _ item: OpaquePointer) -> Void
  ) {
    connect(factory.raw, signal) { [weak self] arguments in
      if let self, let item = arguments.object(1) { body(self, item) }
      return false
    }
  }

  /// Selects a row and scrolls to it.
  public func select(_ index: Int) {
    gtk_single_selection_set_selected(model, guint(index))
  }

  /// The keys move the selection of a list that has appeared, unless a text is being edited.
  override public func didAppear(animated: Bool) {
    let focus = gtk_widget_get_root(widget).flatMap { gtk_root_get_focus($0) }
    let isEditing = focus.map { g_type_check_instance_is_a($0.cast(), gtk_editable_get_type()) != 0 } ?? false
    if !isEditing { gtk_widget_child_focus(widget, GTK_DIR_TAB_FORWARD) }
  }

  // MARK: Rows

  private func bind(_ item: OpaquePointer) {
    configure(item)
    cells[item]?.willDisplay()
    guard !willReport else { return }
    willReport = true
    // GTK arranges its rows now, and cannot have others meanwhile.
    Task {
      willReport = false
      onDisplay(boundRows)
    }
  }

  /// The rows that are bound, in any order.
  public var displayedRows: [Row] {
    cells.filter { gtk_list_item_get_position($0.key) != .max }.compactMap(\.value.controller)
  }

  private var boundRows: Range<Int> {
    // A cell that is not bound has the largest position.
    let rows = cells.keys.map { gtk_list_item_get_position($0) }.filter { $0 != .max }
    guard let first = rows.min(), let last = rows.max() else { return 0..<0 }
    return Int(first)..<Int(last) + 1
  }

  private func configure(_ item: OpaquePointer) {
    guard let cell = cells[item], let listed = ListedItem<Item>.of(gtk_list_item_get_item(item)) else { return }
    cell.configure(with: listed.item)
    guard let row = cell.controller else { return }
    if gtk_list_item_get_child(item) == nil { gtk_list_item_set_child(item, row.widget) }
    asyncstate_set_accessible_name(gtk_widget_get_parent(row.widget), rowName(listed.item))
  }

  private func selectionDidChange() {
    selected.write(ListedItem<Item>.of(gtk_single_selection_get_selected_item(model))?.item)
  }

  // MARK: Changes

  /// In one step, so that GTK finds the rows that stay, and keeps them and the selection.
  private func apply(_ change: ListChange) {
    guard change.apply() else { return }
    let former = rows
    let removed = Set(change.removals.map(\.row) + change.moves.map(\.from.row))
    let moved = change.moves.map { (index: $0.to.row, row: former[$0.from.row]) }
    let inserted = change.insertions.map { (index: $0.row, row: ListedItem(source.item(at: $0))) }
    let added = (moved + inserted).sorted { $0.index < $1.index }
    guard let first = [removed.min(), added.first?.index].compactMap({ $0 }).min() else { return update(change) }
    rows = Array(former[..<first])
    var kept = former.indices[first...].lazy.filter { !removed.contains($0) }.makeIterator()
    for (index, row) in added {
      while rows.count < index, let next = kept.next() { rows.append(former[next]) }
      rows.append(row)
    }
    while let next = kept.next() { rows.append(former[next]) }
    var (end, formerEnd) = (rows.count, former.count)
    while end > first, formerEnd > first, rows[end - 1] === former[formerEnd - 1] {
      (end, formerEnd) = (end - 1, formerEnd - 1)
    }
    splice(at: first, removing: formerEnd - first, adding: rows[first..<end])
    update(change)
  }

  private func insert(_ range: Range<Int>) {
    rows += range.map { ListedItem(source.item(at: $0)) }
    splice(at: range.lowerBound, removing: 0, adding: rows[range])
  }

  private func splice(at index: Int, removing count: Int, adding rows: ArraySlice<ListedItem<Item>>) {
    var objects: [gpointer?] = rows.map { gpointer($0.object) }
    g_list_store_splice(store, guint(index), guint(count), &objects, guint(objects.count))
  }

  private func update(_ change: ListChange) {
    guard !change.updates.isEmpty else { return }
    for places in change.updates { rows[places.to.row].item = source.item(at: places.to) }
    let updated = Set(change.updates.map(\.to.row))
    for item in cells.keys where updated.contains(Int(gtk_list_item_get_position(item))) { configure(item) }
    selectionDidChange()
  }
}

/// An item, and the object that stands for it in GTK's list, which may keep it a little longer.
package final class ListedItem<Item> {
  package fileprivate(set) var item: Item
  fileprivate let object = g_object_new_with_properties(g_object_get_type(), 0, nil, nil)!

  fileprivate init(_ item: Item) {
    self.item = item
    g_object_set_data(object, "item", Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    g_object_set_data(object, "item", nil)
    g_object_unref(object)
  }

  package static func of(_ object: gpointer?) -> ListedItem? {
    guard let object, let listed = g_object_get_data(object.assumingMemoryBound(to: GObject.self), "item") else {
      return nil
    }
    return Unmanaged.fromOpaque(listed).takeUnretainedValue()
  }
}
