// SPDX-License-Identifier: MIT
// A request for a page runs on the actor of the data.

import AsyncState

func more(_ data: AsyncData<Paged<Int, Int>>) async {
  // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
  _ = await data.loadNext { cursor in .init(items: [cursor], next: nil) }
}
