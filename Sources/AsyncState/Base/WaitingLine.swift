// SPDX-License-Identifier: MIT
/// A line of elements that wait for their turn: first in, first out, in constant time, amortised.
package struct WaitingLine<Element> {
  private var elements: [Element?] = []
  /// The number of elements that were taken.
  private var takenCount = 0

  package init() {}

  package var isEmpty: Bool { elements.isEmpty }

  package var count: Int { elements.count - takenCount }

  /// The first of those that wait.
  var first: Element? { isEmpty ? nil : elements[takenCount] }

  package mutating func append(_ element: Element) {
    elements.append(element)
  }

  package mutating func append(_ line: WaitingLine) {
    elements += line.elements[line.takenCount...]
  }

  mutating func updateAll(_ update: (inout Element) -> Void) {
    for index in elements.indices.dropFirst(takenCount) {
      if var element = elements[index].take() {
        update(&element)
        elements[index] = element
      }
    }
  }

  /// Takes out the first of those that wait; nil if none does.
  package mutating func takeFirst() -> Element? {
    guard count > 1 else { return takeLast() }
    let first = elements[takenCount].take()
    takenCount += 1
    if takenCount >= 32, 2 * takenCount >= elements.count {
      // Also where more elements are always added. Each element is moved at most once for each one that was taken.
      elements.removeFirst(takenCount)
      takenCount = 0
    }
    return first
  }

  private mutating func takeLast() -> Element? {
    guard let last = elements.popLast() else { return nil }
    if takenCount > 0 {
      elements.removeAll(keepingCapacity: takenCount < 64)
      takenCount = 0
    }
    return last
  }
}
