// SPDX-License-Identifier: MIT
// The entries of a family are found by the hash of their key.

import AsyncState

struct Place {
  let name: String
}

@MainActor
func open() {
  // expected-error: does not conform to protocol 'Hashable'
  _ = AsyncFamily<Place, String> { (place: Place) in place.name }
}
