// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  /// Calls a closure on the main actor, after the last reference to it was released on any thread.
  ///
  /// A property of this type ends what its owner has begun. The owner needs no `deinit`, which could not call anything of
  /// the main actor's; and no owner that is an `NSObject` may have an isolated one.
  final class AfterRelease: Sendable {
    private let body: @MainActor @Sendable () -> Void

    init(_ body: @escaping @MainActor @Sendable () -> Void) { self.body = body }

    deinit {
      Task { @MainActor [body] in body() }
    }
  }
#endif
