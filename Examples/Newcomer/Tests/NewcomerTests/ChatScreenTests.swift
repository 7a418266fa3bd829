// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

@testable import Newcomer

private struct GatedChat: ChatService {
  let pages = ManualServer<Paged<Message, Int>.Page>()
  let portraits: ManualServer<String>

  init(ignoresCancellation: Bool = false) { portraits = ManualServer(ignoresCancellation: ignoresCancellation) }

  func page(at cursor: Int) async throws -> Paged<Message, Int>.Page { try await pages.wait(for: cursor) }
  func portrait(of author: String) async throws -> String { try await portraits.wait(for: author) }

  /// Answers with a page of ten messages, from the cursor on.
  func answer(at cursor: Int) {
    let items = (cursor..<cursor + 10).map { Message(id: $0, author: "author \($0)") }
    pages.answer(for: cursor, with: .success(Paged.Page(items: items, next: cursor + 10, previous: cursor - 10)))
  }
}

@Suite("The endless list", .timeLimit(.minutes(5)))
@MainActor
struct ChatScreenTests {
  private let service = GatedChat()

  private func makeScreen() async -> ChatScreen {
    let screen = ChatScreen(service: service)
    service.answer(at: 0)
    await screen.viewDidLoad()
    return screen
  }

  @Test("it loads further in both directions", .repeated(noticing: .edgesAreMixedUp))
  func bothDirections() async {
    let screen = await makeScreen()
    #expect(screen.messages.value?.items.map(\.id) == Array(0..<10))
    // No page is requested from the middle, or this would not return.
    await screen.willDisplay(row: 5)

    for cursor in [10, -10, 20] { service.answer(at: cursor) }
    await screen.willDisplay(row: 9)
    await screen.willDisplay(row: 0)
    #expect(screen.messages.value?.items.map(\.id) == Array(-10..<20))
    #expect(screen.list.count == 30)
    #expect(service.pages.arguments() == [0, 10, -10])
  }

  @Test("a page that fails leaves the list alone, and is requested again", .repeated(noticing: .failedPageHidesList))
  func failedPage() async {
    let screen = await makeScreen()
    service.pages.answer(for: 10, with: .failure(NoConnection()))
    await screen.willDisplay(row: 9)
    #expect(screen.messages.snapshot.status.value?.items.count == 10)
    #expect(screen.messages.nextPage.error is NoConnection)

    service.answer(at: 10)
    await screen.willDisplay(row: 9)
    #expect(screen.messages.snapshot.status.value?.items.count == 20)
    #expect(screen.messages.nextPage.error == nil)
  }

  @Test("rows that appear together request a page once", .repeated())
  func onePage() async {
    let screen = await makeScreen()
    async let first: Void = screen.willDisplay(row: 8)
    async let second: Void = screen.willDisplay(row: 9)
    await service.pages.arrived(for: 10)
    service.answer(at: 10)
    _ = await (first, second)
    #expect(service.pages.arguments() == [0, 10])
  }

  @Test("a row loads its portrait when it is displayed, and keeps it", .repeated())
  func row() async {
    let screen = await makeScreen()
    let cell = screen.list.cell(at: 3)
    #expect(cell.line == "author 3: …")
    cell.host.willDisplay()
    await service.portraits.arrived(for: "author 3")
    service.portraits.answer(for: "author 3", with: .success("a face"))
    await cell.host.controller?.data.settled()
    #expect(cell.line == "author 3: a face")
    cell.host.didEndDisplaying()
    cell.host.willDisplay()
    #expect(service.portraits.arguments() == ["author 3"])
  }

  @Test("a row that disappears cancels its portrait, and loads it when it appears again", .repeated())
  func cancelled() async {
    let screen = await makeScreen()
    let cell = screen.list.cell(at: 3)
    cell.host.willDisplay()
    await service.portraits.arrived(for: "author 3")
    cell.host.didEndDisplaying()
    await cell.host.controller?.data.settled()
    cell.host.willDisplay()
    service.portraits.answer(call: 2, with: .success("a face"))
    await cell.host.controller?.data.settled()
    #expect(cell.line == "author 3: a face")
  }

  @Test("a reused row never shows the portrait of its former message", .repeated(noticing: .rowShowsFormerPortrait))
  func reused() async throws {
    let service = GatedChat(ignoresCancellation: true)
    let cell = MessageCell(service: service)
    cell.host.configure(with: Message(id: 1, author: "Ann"))
    cell.host.willDisplay()
    await service.portraits.arrived(for: "Ann")
    // As UIKit's `reconfigureItems` does, without `prepareForReuse`.
    cell.host.configure(with: Message(id: 2, author: "Ben"))
    #expect(cell.line == "Ben: …")
    await service.portraits.arrived(for: "Ben")
    service.portraits.answer(for: "Ben", with: .success("Ben's face"))
    await cell.host.controller?.data.loadEnded()
    service.portraits.answer(for: "Ann", with: .success("Ann's face"))
    await cell.host.controller?.data.settled()
    #expect(cell.line == "Ben: Ben's face")
  }
}
