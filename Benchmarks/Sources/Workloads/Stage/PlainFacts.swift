// SPDX-License-Identifier: MIT
/// What a screen without the library knows.
struct PlainFacts: Sendable {
  static let loading = PlainFacts(isLoading: true)

  var value: Int?
  var hasFailed = false
  var isLoading = false

  static func data(_ value: Int) -> PlainFacts {
    PlainFacts(value: value)
  }

  /// What it means.
  @Sendable
  static func screen(_ facts: PlainFacts) -> PlainScreen {
    if facts.isLoading { return .loading }
    if facts.hasFailed { return .failed }
    return facts.value.map { .data($0) } ?? .empty
  }
}
