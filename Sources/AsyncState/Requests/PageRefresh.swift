// SPDX-License-Identifier: MIT
/// What a refresh of a list requests in the place of as many pages as there are. A reload always begins with the first page alone.
public enum PageRefresh: Hashable, Sendable {
  /// The first page, which replaces the list.
  case firstPage
}
