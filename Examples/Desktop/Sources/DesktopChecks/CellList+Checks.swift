// SPDX-License-Identifier: MIT
import AsyncStateGTK
import CGtk

extension CellList {
  /// The number of cells that GTK has made.
  var cellCount: Int { cells.count }

  /// Scrolls to a part of the list, from 0 to 1.
  func scroll(to part: Double) {
    let adjustment = gtk_scrolled_window_get_vadjustment(widget.opaque)
    gtk_adjustment_set_value(
      adjustment, part * (gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)))
  }

  /// A row that displays something else than its place in the list has; nil: none does.
  var misplacedRow: Int? {
    cells.lazy.compactMap { (item, cell) -> Int? in
      guard let listed = ListedItem<Item>.of(gtk_list_item_get_item(item)) else { return nil }
      let index = Int(gtk_list_item_get_position(item))
      let isRight = self.rows[index] === listed && self.source.item(at: index) == listed.item
      return isRight && cell.description.hasSuffix("displayed") ? nil : index
    }.first
  }
}
