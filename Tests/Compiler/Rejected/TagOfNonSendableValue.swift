// SPDX-License-Identifier: MIT
// A tag is a plain value that any actor may have: it cannot be made from what belongs to one.

import AsyncState

final class Place: Hashable {
  var name = ""

  static func == (left: Place, right: Place) -> Bool { left.name == right.name }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

func tag(_ place: Place) -> AsyncTag {
  // expected-error: type 'Place' does not conform to the 'Sendable' protocol
  AsyncTag(place)
}
