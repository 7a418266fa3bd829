// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct PageIdentityTests {
    struct Row: Identifiable, Equatable, CustomStringConvertible {
      /// An identity of which many have the same hash.
      struct ID: Hashable {
        var number: Int
        func hash(into hasher: inout Hasher) { hasher.combine(number % 3) }
      }
      var number: Int
      var text = ""
      var id: ID { ID(number: number) }
      var description: String { "\(number)\(text)" }
    }

    typealias List = Paged<Row, Int>

    private func page(
      _ numbers: some Sequence<Int>, _ text: String = "", next: Int? = nil, previous: Int? = nil
    ) -> List.Page {
      List.Page(items: numbers.map { Row(number: $0, text: text) }, next: next, previous: previous)
    }

    private func text(_ list: List?) -> String { list?.items.map(\.description).joined(separator: " ") ?? "-" }

    // MARK: Identities

    @Test("3.13 rows that a page repeats are replaced in their places, and shown once")
    func repeated() {
      var list = List(first: page(1...4, next: 2))
      list.append(page(3...6, "b", next: 3))
      #expect(text(list) == "1 2 3b 4b 5b 6b")
      #expect(list.pageCount == 2 && list.next == 3)
      list.prepend(page([0, 2, 5], "c", previous: -1))
      #expect(text(list) == "0c 1 2c 3b 4b 5c 6b")
      #expect(list.pageCount == 3 && list.previous == -1)
    }

    @Test("3.13 a page that repeats a row within itself shows it once, with the last contents; the first page, too")
    func withinOnePage() {
      var list = List(first: .init(items: [Row(number: 1), Row(number: 2), Row(number: 1, text: "b")]))
      #expect(text(list) == "1b 2")
      list.append(.init(items: [Row(number: 3), Row(number: 3, text: "b"), Row(number: 3, text: "c")]))
      #expect(text(list) == "1b 2 3c")
    }

    @Test("3.13 a page without anything new is a page, with its cursor")
    func nothingNew() {
      var list = List(first: page(1...2, next: 2))
      list.append(page(1...2, "b", next: 3))
      #expect(text(list) == "1b 2b" && list.next == 3 && list.pageCount == 2)
      list.append(page([3]), maxPages: 1)
      #expect(text(list) == "3" && list.next == nil && list.pageCount == 1)
    }

    @Test("3.13 a row whose page was evicted is new again; one whose identity was changed is found by the new one")
    func evictedAndChanged() {
      var list = List(first: page(1...2, next: 2))
      list.append(page(3...4, next: 3), maxPages: 1)
      #expect(text(list) == "3 4")
      list.append(page([1, 4], "b"), maxPages: 2)
      #expect(text(list) == "3 1b 4b")
      list[0] = Row(number: 9)
      list.append(page([3, 9], "c"))
      #expect(text(list) == "9c 1b 4b 3c")
    }

    @Test(
      "9.14 a row that two pages have stays when one of them is evicted, at both edges, and with the other it is removed"
    )
    func repeatedAndEvicted() {
      var list = List(first: page(1...3, next: 2, previous: 0))
      list.append(page(3...5, "b", next: 3, previous: 1))
      list.append(page(6...7, next: 4, previous: 2), maxPages: 2)
      #expect(text(list) == "3b 4b 5b 6 7")
      // The first page has other rows by now.
      list.prepend(page(0...2, "c", previous: -1))
      #expect(text(list) == "0c 1c 2c 3b 4b 5b 6 7")
      list.prepend(page([6, 8], "d"), maxPages: 3)
      #expect(text(list) == "8d 0c 1c 2c 3b 4b 5b 6d", "the page of 7 is evicted")
      for row in list.items { #expect(list[id: row.id] == row) }
      list.prepend(page([9]), maxPages: 1)
      #expect(text(list) == "9")
      list.append(page([9, 10], "e"), maxPages: 1)
      #expect(text(list) == "9e 10e", "the new page has it, too")
      list.append(page([11]), maxPages: 1)
      #expect(text(list) == "11")
    }

    @Test("9.14 a row that is added by hand between two pages stays with each of them")
    func addedBetweenPages() {
      for isNext in [true, false] {
        var list = List(first: page(1...2, next: 2, previous: 0))
        list.append(page(4...5, next: 3, previous: 1))
        list.insert(Row(number: 3), at: 2)
        if isNext { list.append(page([6]), maxPages: 2) } else { list.prepend(page([0]), maxPages: 2) }
        #expect(text(list) == (isNext ? "3 4 5 6" : "0 1 2 3"))
      }
    }

    @Test("9.14 a row that was removed by hand, and that an evicted page and another had, is not there again")
    func repeatedAndRemoved() {
      var list = List(first: page(1...2))
      list.append(page(2...3, "b"))
      list[id: .init(number: 2)] = nil
      list.append(page([4]), maxPages: 2)
      #expect(text(list) == "3b 4")
    }

    @Test(
      "9.17 a page that overlaps the edge keeps its order: new rows between those that it repeats stay between them")
    func betweenRepeated() {
      var list = List(first: page([30, 50, 70]))
      list.prepend(page([10, 20, 30, 31, 32, 31, 50, 60], "b"))
      #expect(text(list) == "10b 20b 30b 31b 32b 50b 60b 70")
      list.append(page([59, 60, 65, 70, 80], "c"))
      #expect(text(list) == "10b 20b 30b 31b 32b 50b 59c 60c 65c 70c 80c")
      for row in list.items { #expect(list[id: row.id] == row) }
      list.append(page([79, 20, 5, 90], "d"))
      #expect(text(list) == "10b 20d 30b 31b 32b 50b 59c 60c 65c 70c 80c 79d 5d 90d", "it does not overlap the edge")
    }

    @Test("9.14, 9.17 a row between those that a page repeats belongs to that page and to the one of the row beside it")
    func betweenEvicted() {
      var list = List(first: page([10, 20], previous: 0))
      list.append(page([30, 40], next: 3))
      list.append(page([35, 40, 50], "b", next: 4), maxPages: 2)
      #expect(text(list) == "30 35b 40b 50b")
      list.append(page([60], next: 5), maxPages: 2)
      #expect(text(list) == "35b 40b 50b 60", "both are of the page of 50, too")
      list = List(first: page([10, 30], next: 1))
      list.prepend(page([5, 10, 20], "b"), maxPages: 1)
      #expect(text(list) == "5b 10b 20b")
      list = List(first: page([10, 30], next: 1))
      list.prepend(page([5, 10, 20], "b"))
      list.append(page([40]), maxPages: 2)
      #expect(text(list) == "10b 20b 30 40")
    }

    @Test("3.13 rows without an identity are never the same")
    func withoutIdentity() {
      var list = Paged<String, Int>(first: .init(items: ["a"]))
      list.append(.init(items: ["a", "b"]))
      #expect(list.items == ["a", "a", "b"])
    }

    @Test("3.13 generic code finds identities, too, and equal lists are equal whatever happened before")
    func generic() {
      func add<Item>(_ page: Paged<Item, Int>.Page, to list: inout Paged<Item, Int>) { list.append(page) }
      var list = List(first: page(1...2))
      add(page(2...3, "b"), to: &list)
      #expect(text(list) == "1 2b 3b")
      var other = List(first: page([0]))
      other.append(page([1]), maxPages: 1)
      other.append(page([7]))
      var same = List(first: page([1]))
      same.append(page([7]))
      #expect(other == same)
    }

    @Test(
      "3.13, 9.17 at random: the list has each identity once, in the order of its first appearance, and in that of a page that overlaps the edge",
      arguments: 0..<100)
    func random(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      var list = List(first: page([]))
      var model: [[Row]] = [[]]
      // Each page has all of its rows, and displays those that no page before it had.
      var contents: [Set<Row.ID>] = [[]]
      for step in 0..<60 {
        let numbers = (0..<Int.random(in: 0...5, using: &random)).map { _ in Int.random(in: 0...20, using: &random) }
        let maxPages = [nil, nil, 1, 3].randomElement(using: &random)!
        let page = page(numbers, "s\(step)")
        let isNext = Bool.random(using: &random)
        insertBetween(page.items, isNext, &model)
        var new: [Row] = []
        for row in page.items {
          if let place = model.indices.first(where: { model[$0].contains { $0.id == row.id } }) {
            model[place][model[place].firstIndex { $0.id == row.id }!] = row
          } else if let index = new.firstIndex(where: { $0.id == row.id }) {
            new[index] = row
          } else {
            new.append(row)
          }
        }
        model.insert(new, at: isNext ? model.count : 0)
        contents.insert(Set(page.items.map(\.id)), at: isNext ? contents.count : 0)
        if isNext { list.append(page, maxPages: maxPages) } else { list.prepend(page, maxPages: maxPages) }
        let surplus = maxPages.map { max(model.count - $0, 0) } ?? 0
        let evicted = isNext ? model.prefix(surplus) : model.suffix(surplus)
        if isNext { model.removeFirst(surplus) } else { model.removeLast(surplus) }
        if isNext { contents.removeFirst(surplus) } else { contents.removeLast(surplus) }
        let kept = evicted.joined().filter { row in contents.contains { $0.contains(row.id) } }
        if isNext { model[0] = kept + model[0] } else { model[model.count - 1] += kept }
        #expect(list.items == model.flatMap { $0 })
        #expect(list.pageCount == model.count)
      }
    }

    /// The new rows behind the first row of the list, or before the last one, in the page of the row beside them.
    private func insertBetween(_ rows: [Row], _ isNext: Bool, _ model: inout [[Row]]) {
      var beside: Row.ID?
      for row in isNext ? rows.reversed() : rows {
        let list = model.flatMap { $0 }.map(\.id)
        if let index = list.firstIndex(of: row.id) {
          let former = beside.flatMap(list.firstIndex)
          if former.map({ isNext ? index < $0 : index > $0 }) ?? (index == (isNext ? list.count - 1 : 0)) {
            beside = row.id
          }
        } else if let former = beside {
          let page = model.firstIndex { $0.contains { $0.id == former } }!
          let index = model[page].firstIndex { $0.id == former }!
          model[page].insert(row, at: isNext ? index : index + 1)
          beside = row.id
        }
      }
    }

    // MARK: Changing rows

    @Test("3.13 rows are changed, removed and added by their identity, and the pages keep their cursors")
    func byIdentity() {
      var list = List(first: page(1...3, next: 2, previous: 0))
      list.append(page(4...5, next: 3))
      #expect(list[id: .init(number: 4)]?.number == 4 && list[id: .init(number: 6)] == nil)
      list[id: .init(number: 4)]?.text = "b"
      list[id: .init(number: 6)]?.text = "b"
      #expect(text(list) == "1 2 3 4b 5")
      list[id: .init(number: 2)] = nil
      list[id: .init(number: 6)] = nil
      #expect(text(list) == "1 3 4b 5")
      list[id: .init(number: 7)] = Row(number: 7)
      list.insert(Row(number: 0), at: 0)
      list.insert(Row(number: 3, text: "c"), at: 0)
      #expect(text(list) == "0 1 3c 4b 5 7")
      #expect(list.next == 3 && list.previous == 0 && list.pageCount == 2)
      list.append(page([8]), maxPages: 2)
      #expect(text(list) == "4b 5 7 8")
    }

    @Test(
      "3.13 at random: rows are found by their identity however many were added, removed and moved", arguments: 0..<50)
    func randomlyChanged(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      var list = List(first: page(0..<10))
      var model = list.items
      for step in 0..<150 {
        let row = Row(number: Int.random(in: 0..<30, using: &random), text: "s\(step)")
        let place = model.firstIndex { $0.id == row.id }
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
          list[id: row.id] = nil
          if let place { model.remove(at: place) }
        case 1:
          let index = Int.random(in: 0...model.count, using: &random)
          list.insert(row, at: index)
          if let place { model[place] = row } else { model.insert(row, at: index) }
        case 2 where !model.isEmpty:
          let index = Int.random(in: model.indices, using: &random)
          list[index] = row
          if let place, place != index { model.remove(at: place) }
          model[place.map { $0 < index ? index - 1 : index } ?? index] = row
        case 3:
          list.prepend(List.Page(items: [row]))
          if let place { model[place] = row } else { model.insert(row, at: 0) }
        default:
          list.append(List.Page(items: [row]))
          if let place { model[place] = row } else { model.append(row) }
        }
        #expect(list.items == model)
        for number in 0..<30 {
          #expect(list[id: .init(number: number)] == model.first { $0.number == number })
        }
      }
    }

    @Test("3.13 a row that gets the identity of another one, as a created one from the server, takes its place")
    func identityOfAnother() {
      var list = List(first: page(1...3, next: 2))
      list.append(page(4...5, next: 3))
      list[1] = Row(number: 4, text: "b")
      #expect(text(list) == "1 4b 3 5")
      list[3] = Row(number: 1, text: "c")
      #expect(text(list) == "4b 3 1c")
      #expect(list[id: .init(number: 1)]?.text == "c" && list[id: .init(number: 5)] == nil)
      #expect(list.next == 3 && list.pageCount == 2)
    }

    @Test("3.13 a page whose rows were all removed stays a page")
    func emptied() {
      var list = List(first: page([1], next: 2))
      list.append(page([2], next: 3))
      #expect(list.remove(at: 1).number == 2)
      list.remove(at: 0)
      #expect(list.items.isEmpty && list.pageCount == 2 && list.next == 3)
      list.append(page([1, 2]))
      #expect(text(list) == "1 2")
    }

    @Test("3.13 at random: each changed row is found by its identity, and belongs to its page", arguments: 0..<100)
    func randomChanges(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      var list = List(first: page([]))
      var model: [[Row]] = [[]]
      // The rows that were added behind a page, before the next one.
      var behind: [Set<Row.ID>] = [[]]
      for step in 0..<80 {
        let id = Row.ID(number: Int.random(in: 0...20, using: &random))
        let new = Row(number: id.number, text: "s\(step)")
        let place = model.indices.lazy.flatMap { page in model[page].indices.map { (page, $0) } }
          .first { model[$0.0][$0.1].id == id }
        switch Int.random(in: 0...5, using: &random) {
        case 0:
          list[id: id] = nil
          if let place { model[place.0].remove(at: place.1) }
        case 1:
          list[id: id] = new
          if let place { model[place.0][place.1] = new } else { model[model.count - 1].append(new) }
        case 2:
          list[id: id]?.text = new.text
          if let place { model[place.0][place.1].text = new.text }
        case 3:
          let index = Int.random(in: 0...list.items.count, using: &random)
          list.insert(new, at: index)
          guard place == nil else {
            model[place!.0][place!.1] = new
            break
          }
          var (page, rest) = (0, index)
          while page < model.count - 1, rest >= model[page].count {
            rest -= model[page].count
            page += 1
          }
          if rest == 0, page > 0, !model[page].isEmpty { behind[page - 1].insert(id) }
          model[page].insert(new, at: rest)
        case 4:
          guard let index = list.items.indices.randomElement(using: &random) else { continue }
          list[index] = new
          let target = model.indices.flatMap { page in model[page].indices.map { (page, $0) } }[index]
          model[target.0][target.1] = new
          if let place, place != target { model[place.0].remove(at: place.1) }
        default:
          guard place == nil else { continue }
          list.append(page([id.number], new.text), maxPages: 3)
          model.append([new])
          behind.append([])
          guard model.count > 3 else { break }
          behind.removeFirst()
          let kept = model.removeFirst().filter { row in behind.contains { $0.contains(row.id) } }
          model[0] = kept + model[0]
        }
        #expect(list.items == model.flatMap { $0 })
        #expect(list.pageCount == model.count)
        for row in list.items { #expect(list[id: row.id] == row) }
      }
    }

    // MARK: Edges that are evicted

    let data = AsyncData<List>()
    let later = Gate<List.Page>(ignoresCancellation: true)
    let earlier = Gate<List.Page>(ignoresCancellation: true)

    private func both() async -> (next: Waiting<String>, previous: Waiting<String>) {
      data.value = List(first: page(10...11, next: 12, previous: 10))
      let next = Waiting { [data, later] in
        word(await data.loadNext(maxPages: 1) { _ in try await later.wait() })
      }
      let previous = Waiting { [data, earlier] in
        word(await data.loadPrevious(maxPages: 1) { _ in try await earlier.wait() })
      }
      await later.arrived(1)
      await earlier.arrived(1)
      return (next, previous)
    }

    @Test("3.13, 1.3 a page that evicts the other edge supersedes the request there, in one change")
    func superseded() async {
      let requests = await both()
      let recorder = DataRecorder(data)
      later.answer(call: 1, with: .success(page(12...13, next: 14, previous: 12)))
      #expect(await requests.next.end() == "12 13")
      #expect(await requests.previous.end() == "superseded")
      #expect(recorder.takeFlags() == "f")
      #expect(!data.previousPage.isRunning && !data.nextPage.isRunning)
      // The page arrives all the same, and would leave a hole.
      earlier.answer(call: 1, with: .success(page(8...9, previous: 8)))
      await earlier.ended(1)
      #expect(text(data.value) == "12 13")
      #expect(data.value?.previous == 12)
      let again = Waiting { [data, earlier] in
        word(
          await data.loadPrevious { cursor in
            #expect(cursor == 12)
            return try await earlier.wait()
          })
      }
      await earlier.arrived(2)
      earlier.answer(call: 2, with: .success(page(10...11, previous: 10)))
      #expect(await again.end() == "10 11 12 13")
    }

    @Test("3.13 the other way round, and with a change that is not decided")
    func atTheBeginning() async {
      let requests = await both()
      let gate = Gate<Void>()
      let change = Waiting { [data] in
        _ = await data.mutate({ if !$0.items.isEmpty { $0[0].text = "!" } }, commit: { try await gate.wait() })
      }
      await gate.arrived(1)
      earlier.answer(call: 1, with: .success(page(8...9, next: 10, previous: 8)))
      #expect(await requests.previous.end() == "8! 9")
      #expect(await requests.next.end() == "superseded")
      gate.answer(call: 1, with: .failure(Failure()))
      await change.end()
      #expect(text(data.value) == "8 9" && data.value?.next == 10)
      later.answer(call: 1, with: .success(page([12])))
      await later.ended(1)
      #expect(text(data.value) == "8 9")
      await data.settled()
    }

    @Test("3.12, 3.13 a page for the edge of a list that a pushed value has replaced meanwhile is dropped")
    func replaced() async {
      let requests = await both()
      data.receive(page(1...3, next: 4).list)
      later.answer(call: 1, with: .success(page(12...13)))
      #expect(await requests.next.end() == "superseded")
      earlier.answer(call: 1, with: .failure(Failure()))
      await data.settled()
      #expect(text(data.value) == "1 2 3" && !data.nextPage.isRunning)
      await data.loadNext { page([$0]) }
      #expect(text(data.value) == "1 2 3 4")
    }

    @Test("3.13 a page that evicts nothing leaves the request at the other edge alone")
    func notEvicted() async {
      data.value = List(first: page([10], next: 11, previous: 10))
      let previous = Waiting { [data, earlier] in
        word(await data.loadPrevious(maxPages: 3) { _ in try await earlier.wait() })
      }
      await earlier.arrived(1)
      await data.loadNext(maxPages: 3) { _ in page([11]) }
      earlier.answer(call: 1, with: .success(page([9])))
      #expect(await previous.end() == "9 10 11")
    }

    private func word(_ outcome: AsyncOutcome<List?>) -> String {
      switch outcome {
      case .success(let list?): text(list)
      case .superseded: "superseded"
      case .success(nil), .failure, .cancelled, .notRequested: "\(outcome)"
      }
    }
  }
}

extension Paged.Page {
  fileprivate var list: Paged { Paged(first: self) }
}

extension AllTests {
  @MainActor
  struct EvictedEdgeJournalTests {
    @Test("13.3 the superseded request has one end, before the page")
    func recorded() async throws {
      typealias List = Paged<Int, Int>
      let journal = StateJournal(clock: ManualClock())
      let data = AsyncData<List>()
      journal.attach(data, name: "data")
      data.value = List(first: .init(items: [10], next: 11, previous: 10))
      let gate = Gate<List.Page>()
      let previous = Waiting { _ = await data.loadPrevious { _ in try await gate.wait() } }
      await gate.arrived(1)
      await data.loadNext(maxPages: 1) { _ in .init(items: [11], previous: 11) }
      await previous.end()
      let words = [
        "#1 data: attached: idle", "#2 data: value set", "#3 data: previous page requested",
        "#4 data: next page requested", "#5 data: previous page superseded ← #4", "#6 data: next page arrived ← #4",
      ]
      #expect(journal.entries.map(\.description) == words)
    }

    @Test("13.3 a page for a list that was replaced is superseded when it arrives")
    func replaced() async {
      typealias List = Paged<Int, Int>
      let journal = StateJournal(clock: ManualClock())
      let data = AsyncData<List>()
      journal.attach(data, name: "data")
      data.value = List(first: .init(items: [1], next: 2))
      let gate = Gate<List.Page>()
      let next = Waiting { _ = await data.loadNext { _ in try await gate.wait() } }
      await gate.arrived(1)
      data.receive(List(first: .init(items: [7], next: 8)))
      gate.answer(call: 1, with: .success(.init(items: [2])))
      await next.end()
      #expect(journal.entries.last?.description == "#5 data: next page superseded ← #3")
    }
  }
}
