// SPDX-License-Identifier: MIT
#if canImport(UIKit) || canImport(AppKit) || canImport(SwiftUI)
  public import AsyncState

  extension DisplayPacer {
    /// The pacer of each `AsyncView`, `AsyncGroup` and `AsyncViewController` that is given none. Set it once, where the app
    /// starts; nil: each status is displayed at once.
    ///
    /// A view reads it when it is created. A preview has none, and neither has a placeholder that is given none.
    ///
    /// A pacer measures with the clock of the data, so a test whose data has a `ManualClock` needs no other. A test of screens
    /// whose data has no clock switches the pacer off, in its set-up, and depends on no time:
    ///
    /// ```swift
    /// @MainActor
    /// struct ScreenTests {
    ///   init() { DisplayPacer.app = nil }
    /// }
    /// ```
    @MainActor public static var app: DisplayPacer? = DisplayPacer()
  }
#endif
