// SPDX-License-Identifier: MIT
extension Array {
  /// The element that stands so many before the last.
  func fromEnd(_ back: Int) -> Element? {
    back < count ? self[count - 1 - back] : nil
  }

  /// The same, and round again where there are fewer; nil: there is none.
  func fromEnd(cycling back: Int) -> Element? { isEmpty ? nil : fromEnd(back % count) }
}
