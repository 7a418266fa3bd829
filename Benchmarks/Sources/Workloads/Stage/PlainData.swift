// SPDX-License-Identifier: MIT
/// What a screen without the library knows.
struct PlainData: Sendable {
  static let loading = PlainData(isLoading: true)

  var value: Int?
  var hasFailed = false
  var isLoading = false

  static func data(_ value: Int) -> PlainData {
    PlainData(value: value)
  }

  /// What it means.
  @Sendable
  static func screen(_ data: PlainData) -> PlainScreen {
    if data.isLoading { return .loading }
    if data.hasFailed { return .failed }
    return data.value.map { .data($0) } ?? .empty
  }
}
