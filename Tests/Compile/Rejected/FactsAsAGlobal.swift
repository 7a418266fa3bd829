// SPDX-License-Identifier: MIT
// A global is everybody's; facts belong to one actor.

import AsyncState

enum Application {
  // expected-error: static property 'user' is not concurrency-safe because non-'Sendable' type 'AsyncData<String>'
  static let user = AsyncData<String>()
}
