// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// A list and a detail screen that load the same article.
  @MainActor
  struct AwaitedTests {
    let gate: ManualServer<Int>
    let article: AsyncResource<Int>

    init() {
      let gate = ManualServer<Int>()
      self.gate = gate
      article = AsyncResource { try await gate.wait() }
    }

    /// A screen that loads, and what it gets.
    private func screen() -> Waiting<Int?> {
      Waiting { [article] in try? await article.get() }
    }

    private func answer(_ call: Int) async {
      await gate.answer(arriving: call, with: .success(call))
    }

    @Test("14.5 a call whose task is cancelled is not counted any more, and one is that is made while it waits")
    func cancelled() async {
      let (list, detail) = (screen(), screen())
      await article.awaited(by: 2)
      detail.cancel()
      await expectNil(detail.end())
      let both = Waiting { [article] in await article.awaited(by: 2) }
      await both.begun()
      let other = screen()
      await both.end()
      await answer(1)
      await expectEqual(list.end(), 1)
      await expectEqual(other.end(), 1)
      await article.awaited(by: 0)
    }

    @Test("14.5 calls that follow the value are counted for the load that supersedes theirs")
    func superseded() async {
      let (list, detail) = (screen(), screen())
      await article.awaited(by: 2)
      await gate.arrived(1)
      article.reload()
      await article.awaited(by: 2)
      await answer(2)
      await expectEqual(list.end(), 2)
      await expectEqual(detail.end(), 2)
      await article.settled()
    }

    @Test("14.5 calls that wait behind a load that is too old for them are counted; what start began is not")
    func behind() async {
      article.start()
      await gate.arrived(1)
      article.invalidate()
      let (list, detail) = (screen(), screen())
      await article.awaited(by: 2)
      await answer(1)
      await answer(2)
      await expectEqual(list.end(), 2)
      await expectEqual(detail.end(), 2)
    }
  }
}
