// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting

/// The use of a container that is the same everywhere: written once, called on the main actor, on an actor of its own
/// and on no actor at all.
func exerciseContainer() -> String {
  let stage = Stage()
  let received = [stage.appear(), stage.go(.ready), stage.go(.failed, animated: true), stage.disappear()]
  return received.map(\.text).joined(separator: " | ")
}
