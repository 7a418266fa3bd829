// SPDX-License-Identifier: MIT
// A global is used by all actors; data belongs to one.

import AsyncState

enum Application {
  // expected-error: static property 'user' is not concurrency-safe because non-'Sendable' type 'AsyncData<String>'
  static let user = AsyncData<String>()
}
