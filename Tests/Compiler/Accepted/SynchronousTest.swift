// SPDX-License-Identifier: MIT
// A user's unit test without `await`.

import AsyncState

final class Row: ChildController {
  var marks: [String] = []

  func willAttach() { marks.append("attach") }
  func didAppear(animated: Bool) { marks.append("appear") }
}

@MainActor
func testHostShowsItsValue() -> [String] {
  let row = Row()
  let host = AsyncHost<Int>(request: { data, _ in data.value = 7 }) { status in status.kind == .data ? [row] : [] }
  host.appear(animated: false)
  host.start()
  return row.marks
}

func testValueIsTold() -> [Int?] {
  let data = AsyncData<Int>()
  var received: [Int?] = []
  let token = data.observed.map(\.value).observe { received.append($0) }
  data.value = 1
  data.error = CancellationError()
  data.reset()
  token.cancel()
  return received
}
