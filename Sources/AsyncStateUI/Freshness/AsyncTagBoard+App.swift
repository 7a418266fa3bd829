// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  public import AsyncState
  import Foundation
  #if canImport(UIKit)
    import UIKit
  #else
    import AppKit
  #endif

  extension AsyncTagBoard {
    /// Opens the board's gate while the app is in the foreground and online: what is stale is requested again on return.
    ///
    /// ```swift
    /// freshness = board.followApp()
    /// ```
    ///
    /// In UIKit the foreground is that of the app: as long as one of its scenes is there. In AppKit it is that anything of
    /// the app is visible: beside another app a window stays up to date.
    ///
    /// - Parameter isOnline: Whether there is a network. The default is the system's ``isOnline``.
    /// - Returns: What keeps it so; keep it as long as the app.
    @MainActor
    public func followApp(isOnline: Observed<Bool> = LoadGate.isOnline) -> ObservedToken {
      gate.follow(AppForeground.shared.isVisible && isOnline)
    }
  }

  /// Whether the app is in the foreground.
  @MainActor
  private final class AppForeground {
    static let shared = AppForeground()
    let isVisible = Input(true)

    private init() {
      #if canImport(UIKit)
        // Not the state of the application, which an extension may not read: what is created in the background is there
        // to request something.
        follow(UIApplication.didEnterBackgroundNotification) { false }
        follow(UIApplication.willEnterForegroundNotification) { true }
      #else
        isVisible.write(NSApplication.shared.occlusionState.contains(.visible))
        follow(NSApplication.didChangeOcclusionStateNotification) {
          NSApplication.shared.occlusionState.contains(.visible)
        }
      #endif
    }

    private func follow(_ name: Notification.Name, _ isVisible: @escaping @MainActor @Sendable () -> Bool) {
      _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
        // Justified: both frameworks post it on the main thread. Noticed: elsewhere the process stops.
        MainActor.assumeIsolated { Self.shared.isVisible.write(isVisible()) }
      }
    }
  }
#endif
