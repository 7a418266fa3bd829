// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncState

extension Work {
  /// Data and their loads.
  static let data = [
    Work("n hosts made and loaded on one data", 500) { n in
      let data = AsyncData<Int>()
      data.value = 1
      return {
        let hosts = (0..<n).map { _ in AsyncHost(data: data, request: { _, _ in }, children: { _ in [] }) }
        for host in hosts { host.start() }
        data.value = 2
        for host in hosts { tally += host.status.value ?? 0 }
      }
    } byHand: { n in
      final class Host {
        var value = 0
        func update(_ value: Int) { self.value = value }
      }
      return {
        let hosts = (0..<n).map { _ in Host() }
        for host in hosts { host.update(1) }
        for host in hosts { host.update(2) }
        for host in hosts { tally += host.value }
      }
    },
    Work("n hosts made, loaded and released one after another beside one that stays", 500) { n in
      let data = AsyncData<Int>()
      let host = AsyncHost(data: data, request: { _, _ in }, children: { _ in [] })
      host.start()
      return {
        for _ in 0..<n { AsyncHost(data: data, request: { _, _ in }, children: { _ in [] }).start() }
        withExtendedLifetime(host) {}
      }
    },
    Work("n hosts of one data released", 500) { n in
      let data = AsyncData<Int>()
      var hosts = (0..<n).map { _ in AsyncHost(data: data, request: { _, _ in }, children: { _ in [] }) }
      for host in hosts { host.start() }
      return {
        hosts = []
        data.value = 1
      }
    },
    Work("n loads one after another", 500) { n in
      let data = AsyncData<Int>()
      return { for value in 0..<n { await data.load { value } } }
    } byHand: { n in
      { for value in 0..<n { tally &+= await Task { @MainActor in value }.value } }
    },
    Work("n writes in the callback of one, with an observer", 2_000) { n in
      let data = AsyncData<Int>()
      let token = data.observed.observe { if $0.value == 1 { for value in 2...n { data.value = value } } }
      return {
        data.value = 1
        token.cancel()
      }
    },
    Work("n pages of 20 appended", 250) { n in
      typealias Pages = Paged<Int, Int>
      return {
        var pages = Pages(first: Pages.Page(items: Array(0..<20), next: 1))
        for page in 1..<n { pages.append(Pages.Page(items: Array(0..<20), next: page + 1)) }
        tally += pages.items.count
      }
    } byHand: { n in
      {
        var items = Array(0..<20)
        for _ in 1..<n { items += 0..<20 }
        tally += items.count
      }
    },
    Work("n pages of 20 loaded one after another", 100) { n in
      let feed = AsyncResource(
        .pages { (page: PageRequest<Int, Int>) in Paged.Page(items: Array(0..<20), next: (page.cursor ?? 0) + 1) })
      await feed.load()
      return { for _ in 1..<n { await feed.loadNext() } }
    },
    Work("n entries written to a journal of n", 1_000) { n in
      let (journal, data) = (StateJournal(capacity: n), AsyncData<Int>())
      journal.attach(data, name: "data")
      return { for value in 0..<n { data.value = value } }
    },
    Work("the entries of a journal of n, which is full, read ten times", 4_000) { n in
      let (journal, data) = (StateJournal(capacity: n), AsyncData<Int>())
      journal.attach(data, name: "data")
      for value in 0..<(n + n / 2) { data.value = value }
      return {
        for value in 0..<10 {
          data.value = value
          tally += journal.entries.count
        }
      }
    } byHand: { n in
      final class Subject {}
      let (subject, names) = (Subject(), (0..<n).map { "entry \($0)" })
      let entries = names.map { (number: 1, name: $0, subject: subject) }
      return { for _ in 0..<10 { tally += Array(entries[(n / 2)...] + entries[..<(n / 2)]).count } }
    },
    Work("n writes to an input with a journal, each in the callback of the one before", 2_000) { n in
      let (journal, input) = (StateJournal(capacity: 100), Input(0))
      journal.attach(input, name: "input")
      let token = input.observe { if $0 > 0, $0 < n { input.write($0 + 1) } }
      return {
        input.write(1)
        token.cancel()
      }
    },
    Work("n writes to an input with a journal in the callback of one", 2_000) { n in
      let (journal, input) = (StateJournal(capacity: 100), Input(0))
      journal.attach(input, name: "input")
      let token = input.observe { if $0 == 1 { for value in 2...n { input.write(value) } } }
      return {
        input.write(1)
        token.cancel()
      }
    },
  ]

  /// Optimistic changes.
  static let changes = [
    Work("n changes made, none decided", 250) { n in
      let data = AsyncData<Int>()
      data.value = 0
      return { await cancelled(change(data, n) { try await Task.sleep(for: .seconds(1_000)) }) }
    },
    Work("n changes decided", 250) { n in
      let data = AsyncData<Int>()
      data.value = 0
      return { for task in change(data, n, commit: {}) { await task.value } }
    },
    Work("n changes undecided, with a journal", 250) { n in
      let (journal, data) = (StateJournal(capacity: 100), AsyncData<Int>())
      data.value = 0
      journal.attach(data, name: "data")
      return { await cancelled(change(data, n) { try await Task.sleep(for: .seconds(1_000)) }) }
    },
  ]

  @MainActor
  private static func change(
    _ data: AsyncData<Int>, _ count: Int, commit: @escaping @MainActor () async throws -> Void
  ) -> [Task<Void, Never>] {
    (0..<count).map { _ in
      Task { @MainActor in _ = await data.mutate({ $0 += 1 }, commit: { try await commit() }) }
    }
  }

  @MainActor
  private static func cancelled(_ tasks: [Task<Void, Never>]) async {
    await settle()
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}
