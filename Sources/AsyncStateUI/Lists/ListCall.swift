// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import AsyncStateLists

  /// The calls of lists to their rows. A list must not be updated inside one: the frameworks stop the process.
  @MainActor
  enum ListCall {
    /// The rows that are entering or leaving a window, mostly in the layout of their list.
    private static var open = 0

    /// A row enters or leaves a window.
    static func run(_ body: () -> Void) {
      open += 1
      body()
      open -= 1
    }

    /// Updates a view with a change of its list: at once, or, if the change was made inside a call of a list, when that is
    /// over. Of several changes only the last one is left by then.
    static func whenOver(_ change: ListChange, _ update: @escaping @MainActor () -> Void) {
      guard open > 0 || change.isInCall else { return update() }
      // A call of a list never suspends.
      Task { @MainActor in if !change.isOutdated { update() } }
    }
  }
#endif
