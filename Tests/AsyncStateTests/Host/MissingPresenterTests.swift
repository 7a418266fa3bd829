// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct MissingPresenterTests {
    enum Case: CaseIterable { case neverSet, neverKept, released, kept, withChildren }

    @Test(
      "6.3 a presenter that is nil is one warning of a debug build, when it is needed first", arguments: Case.allCases)
    func warns(case: Case) {
      var presenter: TracedPresenter<Int>? = TracedPresenter(Recorder())
      var beforeRelease: [String] = []
      let said = warnings {
        let host = AsyncHost(
          data: AsyncData<Int>(), request: { _, _ in }, children: `case` == .withChildren ? { _ in [] } : nil)
        switch `case` {
        case .neverSet, .withChildren: break
        case .neverKept: host.presenter = TracedPresenter(Recorder())
        case .released, .kept: host.presenter = presenter
        }
        beforeRelease = warnings { if `case` == .released { host.start() } }
        if `case` == .released { presenter = nil } else { host.start() }
        host.data.value = 1
        host.data.value = 2
        expectEqual(host.status, .data(2))
      }
      let expected = [.kept, .withChildren].contains(`case`) || !isDebugBuild ? 0 : 1
      expect(beforeRelease.isEmpty)
      expectEqual(said.count, expected)
      expect(
        said.allSatisfy { $0.hasPrefix("AsyncState: an AsyncHost has a status to display, and its presenter is nil.") })
      withExtendedLifetime(presenter) {}
    }
  }
}
