// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import AsyncStateUI
import Testing

@MainActor
struct RowPrefetchTests {
  private let gate = ManualServer<String?>()

  @Test("15.10 a prefetch that is given up ends, unless a row is displayed by then; the others go on")
  func givingUp() async {
    let posts = AsyncFamily<Int, String> { [gate] key in try await gate.wait(for: key) }
    let prefetch = RowPrefetch(posts)
    prefetch.begin([1, 2, 3])
    prefetch.begin([1])
    for key in 1...3 { await gate.arrived(for: key) }
    #expect(gate.callCount == 3)
    let displayed = posts[2]
    let row = Task { _ = await displayed.load(when: .stale) }
    await Task { @MainActor in }.value
    prefetch.end([1, 2])
    gate.answer(for: 2, with: .success("two"))
    await row.value
    #expect(posts[1].value == nil && !posts[1].isRunning && displayed.value == "two")
    gate.answer(for: 3, with: .success("three"))
    await posts[3].settled()
    #expect(posts[3].value == "three")
    // Given up and begun again: it is requested again.
    prefetch.begin([1])
    await gate.arrived(4)
    gate.answer(for: 1, with: .success("one"))
    await posts[1].settled()
    #expect(posts[1].value == "one")
  }

  @Test("3.4, 10.4 two lists that prefetch one key, and a prefetch of the family, have an interest each")
  func interests() async {
    let posts = AsyncFamily<Int, String> { [gate] key in try await gate.wait(for: key) }
    posts.prefetch(1)
    let lists = [RowPrefetch(posts), RowPrefetch(posts)]
    for list in lists { list.begin([1, 2]) }
    await gate.arrived(for: 1)
    await gate.arrived(for: 2)
    lists[0].end([1, 2])
    lists[1].end([1])
    await Task { @MainActor in }.value
    #expect(posts[1].isRunning && posts[2].isRunning)
    for key in 1...2 { gate.answer(for: key, with: .success("\(key)")) }
    await posts.settled()
    #expect(posts[1].value == "1" && posts[2].value == "2" && gate.callCount == 2)
    // Begun and given up in one turn: nothing is requested.
    posts.invalidate { _ in true }
    lists[0].begin([1])
    lists[0].end([1])
    await Task { @MainActor in }.value
    #expect(gate.callCount == 2)
  }
}
