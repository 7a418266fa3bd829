// SPDX-License-Identifier: MIT
#if canImport(SwiftUI) || canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import AsyncState

  extension DisplayPolicy {
    /// Whether a value is displayed as that there is nothing.
    func isNothing(_ value: Value) -> Bool { determineState(.value(value), policy: self).kind == .noData }
  }
#endif
