// A user's unit test, with no actor and no `await`.

import AsyncState

final class Row: ChildController {
  var marks: [String] = []

  func willAttach() { marks.append("attach") }
  func didAppear(animated: Bool) { marks.append("appear") }
}

func testHostShowsItsValue() -> [String] {
  let row = Row()
  let host = AsyncHost<Int>(request: { $0.value = 7 }) { status in status.kind == .data ? [row] : [] }
  host.container.willAppear(animated: false)
  host.container.didAppear(animated: false)
  host.load()
  return row.marks
}

func testValueIsTold() -> [Int?] {
  let data = AsyncData<Int>()
  var heard: [Int?] = []
  let token = data.observed.map(\.value).observe { heard.append($0) }
  data.value = 1
  data.error = CancellationError()
  data.reset()
  token.cancel()
  return heard
}
