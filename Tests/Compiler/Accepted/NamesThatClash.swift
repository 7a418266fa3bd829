// SPDX-License-Identifier: MIT
// A client has types with the names of the library's; a selector names the module.

import AsyncState

struct Box {}
enum RetryPolicy { case limit }

@MainActor
func makeNumber() -> AsyncResource<Int> {
  let policy: AsyncState::RetryPolicy = .exponential()
  let other: AsyncState.RetryPolicy = .never
  _ = (AsyncState::Box(1), Box(), RetryPolicy.limit, other)
  return AsyncResource(options: LoadOptions(retry: policy)) { 1 }
}
