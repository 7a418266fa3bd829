// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct HostLifetimeTests {
    @Test("5.16, 6.1 whether a host is visible is what its container says, after a life-cycle call in a callback, too")
    func visibleAfterCallInCallback() {
      let data = AsyncData(seed: 1)
      let child = Leaving()
      let host = AsyncHost(data: data, request: { _, _ in }, children: { _ in [child] })
      child.host = host
      let isVisible = host.isVisible
      host.start()
      host.appear(animated: false)
      expect(!isVisible.current)
      child.host = nil
      host.appear(animated: false)
      expect(isVisible.current)
    }

    private final class Leaving: ChildController {
      weak var host: AsyncHost<Int>?
      func didAppear(animated: Bool) { host?.disappear(animated: false) }
    }

    @Test("5.18, 6.1 a nested host appears with the outer container, changes unseen without it, and loads only by load")
    func nested() {
      let stage = HostStage()
      let outer = StateContainer(initialState: true) { [host = stage.host!] isShown in isShown ? [host] : [] }
      outer.appear(animated: false)
      expectEqual(stage.transitions(), ["W(loading,f)", "D(nil,f)"])
      expect(!stage.host.hasStarted)
      stage.host.start()
      outer.setNeedsTransition(to: false, animated: false)
      _ = stage.trace.take()
      stage.data.value = 1
      expectEqual(stage.transitions(), ["W(data:1,t)", "D(loading,t)"])
      outer.setNeedsTransition(to: true, animated: false)
      expectEqual(stage.transitions(), [])
      expectEqual(stage.host.container.appearance, .visible)
    }

    @Test("6.3 nothing holds the host, its container neither, which stays as it is; the host holds no presenter")
    func lifetime() {
      let trace = Recorder()
      var presenter: TracedPresenter<Int>? = TracedPresenter(trace)
      let data = AsyncData<Int>()
      var host: AsyncHost? = AsyncHost(data: data, request: { _, _ in })
      let container = host?.container
      host?.presenter = presenter
      let releasedPresenter = Weak(presenter)
      let releasedHost = Weak(host)
      host?.start()
      presenter = nil
      expectNil(releasedPresenter.object)
      data.value = 1
      host = nil
      expectNil(releasedHost.object)
      data.value = 2
      container?.appear(animated: false)
      expectEqual(container?.currentState, .data(1))
      expectEqual(trace.takeTrace(), "loading,f")
    }
  }
}
