// SPDX-License-Identifier: MIT
extension Array {
  /// Appends an element. When there is no room left, elements that are not needed any more are removed first.
  ///
  /// There are at least as many additions between two looks as the look finds elements that stay, so an addition takes
  /// constant time on average.
  mutating func append(_ element: Element, removing isObsolete: (Element) -> Bool) {
    if count == capacity {
      removeAll(where: isObsolete)
      if 2 * count > capacity { reserveCapacity(2 * count) }
    }
    append(element)
  }
}
