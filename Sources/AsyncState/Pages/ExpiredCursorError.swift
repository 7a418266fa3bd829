// SPDX-License-Identifier: MIT
/// Thrown by the operation of a page when its cursor is not valid any more, such as one that a server keeps for an hour only. The
/// list begins anew with its first page.
///
/// ```swift
/// let feed = AsyncResource(
///   .pages { page in
///     do {
///       return try await service.posts(at: page.cursor)
///     } catch is CursorIsTooOld {
///       throw ExpiredCursorError()
///     }
///   })
/// ```
///
/// If the next cursor of the new list has expired again, its page fails with this error.
public struct ExpiredCursorError: Error, Hashable {
  /// An error without details.
  public init() {}
}
