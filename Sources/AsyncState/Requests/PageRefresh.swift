// SPDX-License-Identifier: MIT
/// The pages that a refresh of a list requests. A reload always begins with the first page alone.
public enum PageRefresh: Hashable, Sendable {
  /// As many pages as there are, one after the other along the new cursors. They replace the list all at once, so that it
  /// keeps its length and its position.
  case allPages
  /// The first page, which replaces the list.
  case firstPage
}
