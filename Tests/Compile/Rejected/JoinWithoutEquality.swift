// SPDX-License-Identifier: MIT
// Inputs join where they can be compared: tuples cannot, so the second one would not be sent.

import AsyncState

@MainActor
final class LikeButtons {
  let like = AsyncMutation<(row: Int, isOn: Bool), Int>(
    // expected-error: reference to static property 'join' requires
    overlap: .join
  ) { like in like.row }
}
