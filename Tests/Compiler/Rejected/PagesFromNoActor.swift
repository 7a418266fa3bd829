// SPDX-License-Identifier: MIT
// A request for a page runs on the actor of the resource.

import AsyncState

func more(_ feed: AsyncResource<Paged<Int, Int>>) async {
  // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
  _ = await feed.loadNext()
}
