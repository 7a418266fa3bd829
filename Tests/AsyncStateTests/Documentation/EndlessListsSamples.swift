// SPDX-License-Identifier: MIT
import AsyncStateLists
import AsyncState
import AsyncStateTesting
import Testing

/// The samples of the article EndlessLists.
enum EndlessListsSamples {
  final class Cell {
    var title = ""
  }

  @MainActor
  protocol Table: AnyObject {
    func performBatchUpdates(_ updates: () -> Void)
    func remove(_ rows: [ListPath])
    func insert(_ rows: [ListPath])
    func move(_ row: ListPath, to target: ListPath)
  }

  @MainActor
  final class BirdsScreen {
    let birds = AsyncData<[String]>()
    private(set) var source: ListDataSource<String, Cell>
    private var changes: ObservedToken?

    init(table: any Table) {
      source = ListDataSource(
        items: birds.observed.map { $0.value ?? [] },
        dequeue: { _ in Cell() },
        configure: { cell, bird in cell.title = bird })
      changes = source.observeChanges { [weak table] change in
        table?.performBatchUpdates {
          guard change.apply(), let table else { return }
          table.remove(change.removals)
          table.insert(change.insertions)
          for move in change.moves { table.move(move.from, to: move.to) }
        }
      }
    }
  }

  protocol PageService: Sendable {
    func posts(at cursor: Int?) async throws -> Paged<String, Int>.Page
    func posts(from offset: Int) async throws -> Paged<String, Int>.Page
    func files(in folder: String, at cursor: Int?) async throws -> Paged<String, Int>.Page
  }

  @MainActor
  static func lists(
    _ service: any PageService
  ) -> (feed: AsyncResource<Paged<String, Int>>, folders: AsyncFamily<String, Paged<String, Int>>) {
    let feed = AsyncResource(.pages { page in try await service.posts(at: page.cursor) })
    let folders = AsyncFamily { (folder: String) in
      .pages { page in try await service.files(in: folder, at: page.cursor) }
    }
    return (feed, folders)
  }

  @MainActor
  static func counting(_ service: any PageService) -> AsyncResource<Paged<String, Int>> {
    let posts = AsyncResource(.pages { page in try await service.posts(from: page.list?.items.count ?? 0) })
    return posts
  }

  struct CursorIsTooOld: Error {}

  @MainActor
  static func expiring(_ service: any PageService) -> AsyncResource<Paged<String, Int>> {
    let feed = AsyncResource(
      .pages { page in
        do {
          return try await service.posts(at: page.cursor)
        } catch is CursorIsTooOld {
          throw ExpiredCursorError()
        }
      })
    return feed
  }

  struct Message: Identifiable {
    var id: Int
    var likes = 0
  }

  @MainActor
  protocol Chat {
    func page(at cursor: Int?) async throws -> Paged<Message, Int>.Page
    func like(_ id: Message.ID) async throws
    func delete(_ id: Message.ID) async throws
    func send(_ message: Message) async throws
  }

  @MainActor
  struct ChatModel {
    let chat: any Chat
    let messages: AsyncResource<Paged<Message, Int>>

    init(_ chat: any Chat) {
      self.chat = chat
      messages = AsyncResource(.pages { page in try await chat.page(at: page.cursor) })
    }

    func like(_ id: Message.ID) async {
      await messages.mutate {
        $0[id: id]?.likes += 1
      } commit: {
        try await self.chat.like(id)
      }
    }

    func delete(_ id: Message.ID) async {
      await messages.mutate {
        $0[id: id] = nil
      } commit: {
        try await self.chat.delete(id)
      }
    }

    func send(_ message: Message) async {
      await messages.mutate {
        $0.append(message)
      } commit: {
        try await self.chat.send(message)
      }
    }
  }

  protocol Portraits: Sendable {
    func portrait(of bird: String) async throws -> String
  }

  @MainActor
  final class PortraitController: @MainActor ReusableController {
    let portrait = AsyncData<String>()
    private var bird: String?
    private let portraits: any Portraits

    init(portraits: any Portraits) { self.portraits = portraits }

    func configure(with bird: String) { self.bird = bird }

    func willAppear(animated: Bool) {
      guard let bird, portrait.isStale else { return }
      portrait.start(.refresh) { [portraits] in try await portraits.portrait(of: bird) }
    }

    func didDisappear(animated: Bool) { portrait.cancel() }

    func prepareForReuse() { portrait.forget() }
  }

  @MainActor
  static func host(_ portraits: any Portraits) -> CellHost<PortraitController> {
    let host = CellHost { PortraitController(portraits: portraits) }
    return host
  }
}

@MainActor
private final class RecordingTable: EndlessListsSamples.Table {
  var marks: [String] = []
  func performBatchUpdates(_ updates: () -> Void) {
    updates()
    marks.append("updated")
  }
  func remove(_ rows: [ListPath]) { marks += rows.map { "-\($0.row)" } }
  func insert(_ rows: [ListPath]) { marks += rows.map { "+\($0.row)" } }
  func move(_ row: ListPath, to target: ListPath) { marks.append("\(row.row)→\(target.row)") }
}

private struct GatedPortraits: EndlessListsSamples.Portraits {
  let server = ManualServer<String>(ignoresCancellation: true)
  func portrait(of bird: String) async throws -> String { try await server.wait() }
}

private struct NumberedPages: EndlessListsSamples.PageService {
  func posts(at cursor: Int?) async throws -> Paged<String, Int>.Page {
    Paged.Page(items: ["post \(cursor ?? 0)"], next: (cursor ?? 0) + 1)
  }
  func posts(from offset: Int) async throws -> Paged<String, Int>.Page {
    Paged.Page(items: ["post \(offset)", "post \(offset + 1)"], next: offset + 2)
  }
  func files(in folder: String, at cursor: Int?) async throws -> Paged<String, Int>.Page {
    Paged.Page(items: ["\(folder)/\(cursor ?? 0)"], next: (cursor ?? 0) + 1)
  }
}

/// The first of its cursors has expired.
private actor ForgetfulPages: EndlessListsSamples.PageService {
  private var isExpired = true

  func posts(at cursor: Int?) async throws -> Paged<String, Int>.Page {
    if cursor != nil, isExpired {
      isExpired = false
      throw EndlessListsSamples.CursorIsTooOld()
    }
    return Paged.Page(items: ["post \(cursor ?? 0)"], next: (cursor ?? 0) + 1)
  }
  func posts(from offset: Int) async throws -> Paged<String, Int>.Page { .init(items: []) }
  func files(in folder: String, at cursor: Int?) async throws -> Paged<String, Int>.Page { .init(items: []) }
}

private struct RefusingChat: EndlessListsSamples.Chat {
  let deletions = ManualServer<Void>()

  func page(at cursor: Int?) async throws -> Paged<EndlessListsSamples.Message, Int>.Page {
    Paged.Page(items: [1, 2].map { EndlessListsSamples.Message(id: $0) })
  }
  func like(_ id: Int) async throws {}
  func delete(_ id: Int) async throws { try await deletions.wait() }
  func send(_ message: EndlessListsSamples.Message) async throws {}
}

extension AllTests {
  @MainActor
  struct EndlessListsSampleTests {
    @Test("9.11 lists in pages, one and by key")
    func pages() async {
      let (feed, folders) = EndlessListsSamples.lists(NumberedPages())
      await feed.load()
      await feed.loadNext()
      #expect(feed.value?.items == ["post 0", "post 1"])
      let folder = folders["a"]
      await folder.load()
      await folder.loadNext()
      #expect(folder.value?.items == ["a/0", "a/1"])
      let posts = EndlessListsSamples.counting(NumberedPages())
      await posts.load()
      posts.data.update { $0.remove(at: 0) }
      await posts.loadNext()
      #expect(posts.value?.items == ["post 1", "post 1", "post 2"])
    }

    @Test("9.18 a list whose cursor has expired begins anew")
    func expired() async {
      let feed = EndlessListsSamples.expiring(ForgetfulPages())
      await feed.load()
      await feed.loadNext()
      #expect(feed.value?.items == ["post 0"] && feed.nextPage.error == nil)
      await feed.loadNext()
      #expect(feed.value?.items == ["post 0", "post 1"])
    }

    @Test("3.12, 3.13 a row is changed and deleted at once, and is back if the server refuses it")
    func changes() async {
      let chat = RefusingChat()
      let model = EndlessListsSamples.ChatModel(chat)
      await model.messages.load()
      await model.like(2)
      #expect(model.messages.value?.items.map(\.likes) == [0, 1])
      let deleting = Task { await model.delete(1) }
      await chat.deletions.arrived(1)
      #expect(model.messages.value?.items.map(\.id) == [2])
      chat.deletions.answer(call: 1, with: .failure(NoDataError()))
      await deleting.value
      #expect(model.messages.value?.items.map(\.id) == [1, 2])
      await model.send(EndlessListsSamples.Message(id: 3))
      #expect(model.messages.value?.items.map(\.id) == [1, 2, 3])
    }

    @Test("rows are what the data say, and the table is updated with each change")
    func rows() {
      let table = RecordingTable()
      let screen = EndlessListsSamples.BirdsScreen(table: table)
      #expect(screen.source.count == 0)
      screen.birds.value = ["swallow", "swan"]
      #expect(screen.source.cell(at: 1).title == "swan")
      screen.birds.value = ["swan"]
      #expect(table.marks == ["+0", "+1", "updated", "-0", "updated"])
      screen.birds.value = ["swallow", "swan"]
      screen.birds.value = ["swan", "swallow"]
      #expect(table.marks.suffix(2) == ["1→0", "updated"])
      let count = table.marks.count
      screen.birds.start(.refresh) { ["swan"] }
      screen.birds.cancel()
      #expect(table.marks.count == count)
    }

    @Test("an answer for the former row is never displayed in the next, and a row that disappears stops its load")
    func reuse() async {
      let portraits = GatedPortraits()
      let host = EndlessListsSamples.host(portraits)
      host.configure(with: "swallow")
      host.willDisplay()
      await portraits.server.arrived(1)
      host.prepareForReuse()
      host.configure(with: "swan")
      host.willDisplay()
      await portraits.server.arrived(2)

      #expect(host.controller?.portrait.value == nil)
      portraits.server.answer(call: 2, with: .success("a swan"))
      await host.controller?.portrait.loadEnded()
      #expect(host.controller?.portrait.value == "a swan")
      portraits.server.answer(call: 1, with: .success("a swallow"))
      await host.controller?.portrait.settled()
      #expect(host.controller?.portrait.value == "a swan")

      host.prepareForReuse()
      host.configure(with: "wren")
      host.willDisplay()
      await portraits.server.arrived(3)
      host.didEndDisplaying()
      #expect(host.controller?.portrait.isRunning == false)
    }
  }
}
