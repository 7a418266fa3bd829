// SPDX-License-Identifier: MIT
/// The choices in displaying a snapshot: errors over content, empty values, and data that was never
/// requested.
///
/// A policy is a plain value; keep one as a constant:
///
/// ```swift
/// extension DisplayPolicy where Value == [Article] {
///   static let feed = DisplayPolicy(errors: .never, isEmpty: { $0.isEmpty })
/// }
/// ```
public struct DisplayPolicy<Value>: Sendable {
  @usableFromInline let errors: ErrorDisplay
  @usableFromInline let idle: IdleDisplay
  /// Nil if no value is empty.
  @usableFromInline let isEmpty: (@Sendable (Value) -> Bool)?

  /// A policy with choices of its own.
  ///
  /// By default the error of a reload replaces content, every value is content, and data that was never requested is
  /// displayed as loading.
  ///
  /// - Parameters:
  ///   - errors: The errors that are displayed in the place of content.
  ///   - idle: The status that is displayed before anything was requested.
  ///   - isEmpty: Returns true if a value has no content; nil: every value is content. Called wherever a status is determined:
  ///     for data on its actor, at each change and each reading of the status. It must be a pure function.
  public init(
    errors: ErrorDisplay = .afterReload, idle: IdleDisplay = .loading, isEmpty: (@Sendable (Value) -> Bool)? = nil
  ) {
    self.errors = errors
    self.idle = idle
    self.isEmpty = isEmpty
  }
}

extension DisplayPolicy where Value: Collection {
  /// The policy for collections: one without elements is displayed as no data.
  ///
  /// - Parameters:
  ///   - errors: The errors that are displayed in the place of content.
  ///   - idle: The status that is displayed before anything was requested.
  public static func emptyIsNoData(errors: ErrorDisplay = .afterReload, idle: IdleDisplay = .loading) -> DisplayPolicy {
    DisplayPolicy(errors: errors, idle: idle, isEmpty: \.isEmpty)
  }
}

/// The errors that are displayed in the place of content.
public enum ErrorDisplay: Hashable, Sendable {
  /// The error of a reload replaces the content; the content stays when a refresh fails. Read ``AsyncData/error`` for a banner.
  case afterReload
  /// Every error replaces the content.
  case always
  /// The content stays.
  case never

  /// True if an error replaces content.
  ///
  /// - Parameter isRefreshError: True if it is the error of a refresh.
  @usableFromInline
  func replacesContent(isRefreshError: Bool) -> Bool {
    switch self {
    case .afterReload: !isRefreshError
    case .always: true
    case .never: false
    }
  }
}

/// The status that is displayed before anything was requested. A request that has ended without an answer is displayed as idle
/// in any case, because no request follows.
public enum IdleDisplay: Hashable, Sendable {
  /// The same as for a running load: the request is about to be made.
  case loading
  /// Idle: the request waits for the user.
  case idle
}
