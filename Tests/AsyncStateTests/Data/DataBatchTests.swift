// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct DataBatchTests {
    @Test("7.7 all have changed before the first observer is called, and each notifies once")
    func once() {
      let first = AsyncData<Int>(), second = AsyncData<String>()
      let input = Input(0)
      let log = Log()
      let tokens = [
        first.observed.map(\.value).observe { log("1: \($0 ?? 0) \(second.value ?? "-") \(input.current)") },
        second.observed.map(\.value).observe { log("2: \($0 ?? "-") \(first.value ?? 0) \(input.current)") },
        input.observe { log("3: \($0) \(first.value ?? 0) \(second.value ?? "-")") },
      ]
      _ = log.take()
      batch {
        $0.write(1, to: first)
        $0.write("one", to: second)
        $0.write(5, to: input)
        $0.write(2, to: first)
        #expect(first.value == nil && second.value == nil)
      }
      #expect(log.entries == ["3: 5 2 one", "1: 2 one 5", "2: one 2 5"])
      withExtendedLifetime(tokens) {}
    }

    @Test("7.7 of a value that is derived from several no observer sees a half")
    func derived() {
      let data = (0..<5).map { _ in AsyncData<Int>() }
      var seen: Set<[Int]> = []
      let token = Observed.all(data.map { $0.observed.map { $0.value ?? 0 } }).observe { seen.insert($0) }
      for value in 1...3 { batch { batch in for data in data { batch.write(value, to: data) } } }
      #expect(seen == Set((0...3).map { Array(repeating: $0, count: 5) }))
      withExtendedLifetime(token) {}
    }

    @Test("7.7 it is a value set by hand: loads are superseded, undecided changes dropped, the same value is forced")
    func byHand() async {
      let gate = Gate<Int>()
      let first = AsyncData<Int>(), second = AsyncData<Int>()
      let load = first.start { try await gate.wait() }
      second.value = 7
      let recorder = DataRecorder(second)
      batch {
        $0.write(1, to: first)
        $0.write(7, to: second)
      }
      #expect(await load.outcome().word == "superseded")
      gate.answer(call: 1, with: .success(9))
      await first.settled()
      #expect(first.value == 1 && !first.isRunning)
      withExtendedLifetime(recorder) {}
    }

    @Test("7.7 a watcher of several that change in a batch is made once, of both")
    func watcher() async {
      let a = AsyncResource<Int> { 0 }, b = AsyncResource<Int> { 0 }
      var made: [[Int]] = []
      let watcher = AsyncResource { (reporter: LoadReporter<Int>) in
        let pair = [try await reporter.get(a), try await reporter.get(b)]
        made.append(pair)
        return pair[0] + pair[1]
      }
      await watcher.load()
      batch {
        $0.write(1, to: a.data)
        $0.write(2, to: b.data)
      }
      await watcher.settled()
      #expect(watcher.value == 3 && made == [[0, 0], [1, 2]])
    }

    @Test("7.7 what an observer writes in a batch is delivered after it")
    func reentrant() {
      let first = AsyncData<Int>(), second = AsyncData<Int>()
      var seen: [Int] = []
      let tokens = [
        first.observed.map { $0.value ?? 0 }.observe { if $0 == 1 { batch { $0.write(9, to: second) } } },
        second.observed.map { $0.value ?? 0 }.observe { seen.append($0) },
      ]
      batch {
        $0.write(1, to: first)
        $0.write(2, to: second)
      }
      #expect(second.value == 9 && seen.last == 9)
      withExtendedLifetime(tokens) {}
    }

    @Test("7.7, 9.3 what a batch writes to a resource whose key it changes is of the new key, which is not requested")
    func key() async {
      let key = Input<String?>("a")
      var requested: [String] = []
      let resource = AsyncResource(following: key) { key in
        requested.append(key)
        return "loaded \(key)"
      }
      await resource.load()
      batch {
        $0.write("b", to: key)
        $0.write("b by hand", to: resource.data)
      }
      #expect(resource.value == "b by hand" && !resource.isRunning)
      await resource.settled()
      batch {
        $0.write("c by hand", to: resource.data)
        $0.write("c", to: key)
      }
      await resource.settled()
      #expect(resource.value == "c by hand" && requested == ["a"])
    }

    @Test(
      "7.7, 9.3 a key that an observer of the batch changes removes what was written: it is of the former key",
      arguments: [false, true])
    func keyByObserver(writesKey: Bool) async {
      let key = Input<String?>("a"), other = Input(0)
      let resource = AsyncResource(following: key) { "loaded \($0)" }
      await resource.load()
      let token = other.observe { if $0 == 1 { key.write("c") } }
      batch {
        $0.write(1, to: other)
        if writesKey { $0.write("b", to: key) }
        $0.write("by hand", to: resource.data)
      }
      #expect(resource.value == nil && resource.isRunning)
      await resource.settled()
      #expect(resource.value == "loaded c")
      withExtendedLifetime(token) {}
    }

    @Test("1.4, 7.7 what a batch writes when a reader forgets all is not written, and the rest of it is")
    func forgottenByReader() {
      let first = AsyncData<Int>(), second = AsyncData<Int>()
      first.value = 1
      beforeChange({ _ = second.value }) { first.forget() }
      batch {
        $0.write(7, to: first)
        $0.write(8, to: second)
      }
      #expect(first.value == nil && second.value == 8)
    }
  }
}
