// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import AsyncState
  #if canImport(UIKit)
    import UIKit
  #else
    import AppKit
  #endif

  extension StateViewController {
    /// The children that no other parent has taken.
    var members: [ControllerChild] {
      container.children.compactMap { $0 as? ControllerChild }.filter(\.isMember)
    }

    /// The topmost child that stays.
    var topMember: ViewController? { members.last { !$0.isLeaving }?.controller }

    /// The topmost child decides about the size of a window, a sheet or a popover, unless it has no opinion.
    func takePreferredContentSize() {
      if let size = topMember?.preferredContentSize, size != .zero { preferredContentSize = size }
    }
  }
#endif
