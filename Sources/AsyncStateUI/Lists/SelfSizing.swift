// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS)
  import UIKit

  /// A list whose rows grow when their contents arrive. By default it measures a row again only when that says so, or gets
  /// another configuration.
  @MainActor
  protocol SelfSizingList: UIView {
    /// Measures a row again when its constraints result in another size, unless the list never does it.
    func measuresRowsAgain()
  }

  extension UITableView: SelfSizingList {
    func measuresRowsAgain() {
      if selfSizingInvalidation == .enabled { selfSizingInvalidation = .enabledIncludingConstraints }
    }
  }

  extension UICollectionView: SelfSizingList {
    func measuresRowsAgain() {
      if selfSizingInvalidation == .enabled { selfSizingInvalidation = .enabledIncludingConstraints }
    }
  }

  extension UIView {
    /// The list that the view is a part of.
    var enclosingList: (any SelfSizingList)? {
      sequence(first: self) { $0.superview }.lazy.compactMap { $0 as? any SelfSizingList }.first
    }
  }
#endif
