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

extension Dictionary {
  /// Makes room for another value. When there is none left, values that are not needed any more are removed first, in constant
  /// time on average, as for an array.
  ///
  /// - Returns: The previous dictionary, which may hold values of the user's: release it when nothing is being changed. Nil if
  ///   there was room.
  mutating func makeRoom(removing isObsolete: (Value) -> Bool) -> Dictionary? {
    guard count == capacity else { return nil }
    var former = filter { !isObsolete($0.value) }
    former.reserveCapacity(2 * former.count + 8)
    swap(&self, &former)
    return former
  }
}
