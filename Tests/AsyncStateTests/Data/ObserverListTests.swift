// SPDX-License-Identifier: MIT
@testable import AsyncState
import Testing

extension AllTests {
  @MainActor
  struct ObserverListTests {
    final class Observer: AsyncDataObserver {
      let name: String
      let log: Log
      let data: AsyncData<Int>
      var reloads = false
      /// Done inside the next callback.
      var hook: (() -> Void)?

      init(_ name: String, _ log: Log, _ data: AsyncData<Int>) {
        self.name = name
        self.log = log
        self.data = data
      }

      func dataDidChange(forced: Bool) {
        log.entries.append("\(name)\(data.value ?? 0)\(letter(forced))")
        hook.take()?()
      }

      func reloadRequested() -> Bool {
        log.entries.append("reload \(name)")
        hook.take()?()
        return reloads
      }
    }

    let data = AsyncData<Int>()
    let log = Log()

    private func observers(_ names: String...) -> [Observer] {
      let observers = names.map { Observer($0, log, data) }
      for observer in observers { data.addObserver(observer) }
      return observers
    }

    private func write(_ value: Int) -> String {
      log.entries = []
      data.value = value
      return log.entries.joined(separator: " ")
    }

    @Test(
      "1.2, 1.5, 1.11 when a setter returns all have been notified, in the order in which they were added, before the delegate"
    )
    func order() {
      let observers = observers("a", "b", "c")
      let recorder = DataRecorder(data)
      recorder.hooks = [{ log.entries.append("delegate") }]
      let token = data.observed.observe { log.entries.append("observed\($0.value ?? 0)") }
      expectEqual(write(1), "observed1 a1f b1f c1f delegate")
      expectEqual(write(1), "observed1 a1t b1t c1t")
      withExtendedLifetime((observers, token)) {}
    }

    @Test("1.5 one that is removed during a notification is not called again, not even of that change")
    func removedInside() {
      let observers = observers("a", "b", "c")
      observers[0].hook = { data.removeObserver(observers[1]) }
      expectEqual(write(1), "a1f c1f")
      observers[2].hook = { for observer in observers { data.removeObserver(observer) } }
      expectEqual(write(2), "a2f c2f")
      expectEqual(write(3), "")
    }

    @Test("1.5, 1.4 one that is removed and added again during a notification starts with the next, at the end")
    func addedAgain() {
      let observers = observers("a", "b")
      observers[0].hook = {
        data.removeObserver(observers[1])
        data.addObserver(observers[1])
        data.removeObserver(observers[0])
        data.addObserver(observers[0])
        data.value = 2
      }
      expectEqual(write(1), "a1f b2f a2f")
      withExtendedLifetime(observers) {}
    }

    @Test("1.6 they are held weakly; one that is released during a notification is not called again")
    func released() {
      var observers = observers("a", "b", "c")
      observers[0].hook = { observers.remove(at: 1) }
      expectEqual(write(1), "a1f c1f")
      observers = []
      expectEqual(write(2), "")
      observers = self.observers("d")
      expectEqual(write(3), "d3f")
    }

    @Test("1.5, 1.6 of many that are added and released in between, those that are left are notified in order")
    func many() {
      var kept: [Observer] = []
      for number in 0..<1_000 {
        let observer = Observer("\(number) ", log, data)
        data.addObserver(observer)
        if number % 7 == 0 { kept.append(observer) }
        if number % 50 == 0, kept.count > 3 { data.removeObserver(kept.remove(at: 1)) }
      }
      expectEqual(write(1), kept.map { "\($0.name)1f" }.joined(separator: " "))
      for _ in 0..<10_000 { data.addObserver(Observer("gone", log, data)) }
      expect(data.state.core.observerCount < 1_000)
      expectEqual(write(2), kept.map { "\($0.name)2f" }.joined(separator: " "))
    }

    @Test("1.8 one that is released on another thread is not called again")
    func releasedElsewhere() async {
      let kept = observers("a")
      let dropped = Dropped(Observer("b", log, data))
      let last = {
        let observer = Observer("c", log, data)
        data.addObserver(observer)
        return Dropped(observer)
      }()
      await Task.detached { dropped.release() }.value
      await Task.detached { last.release() }.value
      expectEqual(write(1), "a1f")
      withExtendedLifetime(kept) {}
    }

    @Test("6.4 a reload is requested from observers until one does it")
    func reload() {
      let observers = observers("a", "b", "c")
      observers[1].reloads = true
      data.requestReload()
      expectEqual(log.entries, ["reload a", "reload b"])
      log.entries = []
      observers[0].hook = { data.removeObserver(observers[1]) }
      data.requestReload()
      expectEqual(log.entries, ["reload a", "reload c"])
      withExtendedLifetime(observers) {}
    }

    @Test("1.6 observers that are made at each notification, in the place of the last one, leave nothing")
    func replacedObservers() {
      var last: Observer?
      var token: ObservedToken?
      let outer = data.observed.observe { [data, log] _ in
        last = Observer("o", log, data)
        if let last { data.addObserver(last) }
        token?.cancel()
        token = data.observed.observe { _ in }
      }
      for value in 1...1_000 { data.value = value }
      expect(data.state.core.observerCount < 10)
      expect((data.state.source?.downstream.state.observers.count ?? 0) < 10)
      withExtendedLifetime((outer, last, token)) {}
    }
  }
}
