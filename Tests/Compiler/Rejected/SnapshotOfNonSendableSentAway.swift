// SPDX-License-Identifier: MIT
// A snapshot is `Sendable` only where its value is.

import AsyncState

final class Document {
  var title = ""
}

actor Log {
  func write(_ snapshot: AsyncSnapshot<Document>) {
    print(snapshot.value?.title ?? "nothing")
  }
}

@MainActor
func note(_ document: AsyncData<Document>, in log: Log) async {
  // expected-error: sending value of non-Sendable type 'AsyncSnapshot<Document>' risks causing data races
  await log.write(document.snapshot)
}
