// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting

/// Waits until resources that are made of one another are at rest: what one of them answers may begin a load of another one.
@MainActor
func atRest<each Value>(_ resources: repeat AsyncResource<each Value>) async {
  for _ in 0..<3 { repeat await (each resources).settled() }
}

/// A resource that has loaded a value.
@MainActor
func loaded<Value: Sendable>(_ value: Value) async -> AsyncResource<Value> {
  let resource = AsyncResource { value }
  await resource.load()
  return resource
}
