// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

/// The samples of pushes, in the article *Streams and pushes*, and of the comments of `receive` and `update`.
struct Message: Identifiable, Equatable, Sendable {
  let id: Int
  var text = ""
}

enum ChatEvent: Sendable {
  case posted(Message)
  case snapshot([Message])
  case reconnected
}

@MainActor
protocol ChatService: Sendable {
  func messages() async throws -> [Message]
}

@MainActor
protocol ChatSocket {
  func events() -> AsyncStream<ChatEvent>
}

@MainActor
final class ChatScreen {
  let messages: AsyncResource<[Message]>
  private let socket: any ChatSocket

  init(_ service: any ChatService, _ socket: any ChatSocket) {
    self.socket = socket
    messages = AsyncResource { try await service.messages() }
  }

  /// As long as the screen is visible.
  func follow() async {
    for await event in socket.events() {
      switch event {
      case .posted(let message): messages.update { $0.upsert(message) }
      case .snapshot(let all): messages.receive(all)
      case .reconnected: messages.refresh()
      }
    }
  }
}

extension [Message] {
  /// Adds a message, or replaces the one with its identity.
  mutating func upsert(_ message: Message) {
    if let index = firstIndex(where: { $0.id == message.id }) { self[index] = message } else { append(message) }
  }
}

@MainActor
private final class Server: ChatService, ChatSocket {
  var calls = 0
  let server = ManualServer<[Message]>()
  let (stream, continuation) = AsyncStream<ChatEvent>.makeStream()

  func messages() async throws -> [Message] {
    calls += 1
    return try await server.wait()
  }

  func events() -> AsyncStream<ChatEvent> { stream }
}

extension AllTests {
  @MainActor
  struct PushSamples {
    @Test("3.21 events of a socket beside a request")
    func chat() async {
      let chat = Server()
      let screen = ChatScreen(chat, chat)
      let load = screen.messages.start()
      await chat.server.arrived(1)
      chat.server.answer(call: 1, with: .success([Message(id: 1, text: "one")]))
      _ = await load.outcome()
      let again = screen.messages.refresh()
      await chat.server.arrived(2)
      chat.continuation.yield(.posted(Message(id: 2, text: "two")))
      chat.continuation.yield(.posted(Message(id: 1, text: "once")))
      chat.continuation.finish()
      await screen.follow()
      #expect(screen.messages.value?.map(\.text) == ["once", "two"])
      // The answer was on its way, and contains one of the two.
      chat.server.answer(call: 2, with: .success([Message(id: 1, text: "one"), Message(id: 2, text: "two")]))
      _ = await again.outcome()
      #expect(screen.messages.value?.map(\.text) == ["once", "two"])
    }

    @Test("3.21 the samples of the comments")
    func comments() async {
      let messages = AsyncData<[Message]>()
      let message = Message(id: 7)
      let all = [Message(id: 1)]
      messages.receive(all)
      messages.update { $0.upsert(message) }
      #expect(messages.value?.map(\.id) == [1, 7])
    }
  }
}
