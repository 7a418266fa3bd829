// SPDX-License-Identifier: MIT
// An optimistic update changes data on its actor, and here is none.

import AsyncState

struct LikeButton {
  let isLiked: AsyncData<Bool>

  nonisolated func tap() async {
    // expected-error: 'nil' is not compatible with expected argument type 'any Actor'
    await isLiked.mutate({ $0.toggle() }, commit: {})
  }
}
