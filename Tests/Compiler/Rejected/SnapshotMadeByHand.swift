// SPDX-License-Identifier: MIT
// A state that data cannot be in: the parts of a snapshot are read, and snapshots are made by their names.

import AsyncState

func pretend(_ snapshot: AsyncSnapshot<Int>) -> AsyncSnapshot<Int> {
  var snapshot = snapshot
  // expected-error: cannot assign to property: 'isProvisional' is a get-only property
  snapshot.isProvisional = true
  // expected-error: 'value' setter is inaccessible
  snapshot.value = nil
  // expected-error: 'error' setter is inaccessible
  snapshot.error = nil
  // expected-error: 'activity' setter is inaccessible
  snapshot.activity = nil
  return snapshot
}

func make() -> AsyncSnapshot<Int> {
  // expected-error: 'AsyncSnapshot<Value>' initializer is inaccessible
  AsyncSnapshot(value: 1)
}
