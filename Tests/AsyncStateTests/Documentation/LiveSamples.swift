// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension LoadOptions {
  static let chat = LoadOptions(retry: .exponential())
}

struct Silence: Error {}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Fails when no element follows another one within this time.
  func failing(afterSilenceOf limit: Duration, clock: any Clock<Duration>) -> AsyncThrowingStream<Element, any Error> {
    let (elements, continuation) = AsyncThrowingStream<Element, any Error>.makeStream()
    let reading = Task {
      var alarm: Task<Void, any Error>?
      defer { alarm?.cancel() }
      do {
        for try await element in self {
          alarm?.cancel()
          alarm = Task {
            try await clock.sleep(for: limit)
            continuation.finish(throwing: Silence())
          }
          continuation.yield(element)
        }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in reading.cancel() }
    return elements
  }
}
/// The samples of the article LiveData, and of the comments of live values, watching and batches.
enum LiveSamples {
  typealias Message = String

  struct User: Equatable, Sendable {
    var name = "Ann"
    var room = "lobby"
  }

  struct Summary: Equatable, Sendable {
    var name: String
    var unread: Int
  }

  @MainActor
  protocol ChatService: Sendable {
    func messages(in room: String) async throws -> AsyncStream<[Message]>
    func typing(in room: String) async throws -> AsyncStream<String?>
  }

  @MainActor
  final class Chat: ChatService {
    private(set) var rooms: [AsyncStream<[Message]>.Continuation] = []

    func messages(in room: String) async throws -> AsyncStream<[Message]> {
      let (stream, continuation) = AsyncStream<[Message]>.makeStream()
      rooms.append(continuation)
      continuation.yield(["Welcome to \(room)"])
      return stream
    }

    func typing(in room: String) async throws -> AsyncStream<String?> {
      AsyncStream { $0.yield(nil) }
    }
  }

  @MainActor
  final class Room {
    let messages: AsyncResource<[Message]>

    init(_ name: String, chat: any ChatService) {
      messages = AsyncResource(options: .chat, .live { try await chat.messages(in: name) })
    }
  }

  @MainActor
  final class RoomScreen {
    let room: Room

    init(_ room: Room) { self.room = room }

    func pulledAgain() {
      room.messages.refresh()
    }
  }
}

extension AllTests {
  @MainActor
  struct LiveSampleTests {
    typealias Summary = LiveSamples.Summary
    typealias User = LiveSamples.User

    @Test("19.1 a room follows its stream")
    func room() async {
      let chat = LiveSamples.Chat()
      let screen = LiveSamples.RoomScreen(LiveSamples.Room("lobby", chat: chat))
      screen.room.messages.start()
      await screen.room.messages.settled()
      #expect(screen.room.messages.value == ["Welcome to lobby"])
      screen.pulledAgain()
      await screen.room.messages.settled()
      #expect(chat.rooms.count == 2)
    }

    @Test("19.1, 19.8 a stream that is silent for too long breaks, and is connected again by the policy")
    func silence() async throws {
      let (chat, clock) = (LiveSamples.Chat(), ManualClock())
      let messages = AsyncResource<[String]>(
        options: LoadOptions(retry: RetryPolicy { _ in .seconds(1) }, clock: clock),
        .live { try await chat.messages(in: "lobby").failing(afterSilenceOf: .seconds(45), clock: clock) })
      messages.start()
      await messages.settled()
      for text in ["Hello", "Anyone?"] {
        await clock.sleepers(atLeast: 1)
        await clock.advance(by: .seconds(44))
        chat.rooms[0].yield([text])
        for await snapshot in messages.observed.values
        where snapshot.value == [text] || snapshot.activity?.lastFailure != nil { break }
        try #require(messages.value == [text] && chat.rooms.count == 1)
      }

      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(45))
      for await snapshot in messages.observed.values where snapshot.activity?.lastFailure is Silence { break }
      #expect(messages.value == ["Anyone?"])
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(1))
      await messages.settled()
      #expect(messages.value == ["Welcome to lobby"] && messages.error == nil && chat.rooms.count == 2)
      guard case .terminated = chat.rooms[0].yield([]) else {
        Issue.record("the first stream is still read")
        return
      }

      await withCheckedContinuation { over in
        chat.rooms[1].onTermination = { _ in over.resume() }
        messages.cancel()
      }
    }

    @Test("19.1, 4 an element that is nil is an answer, and is displayed as no data by a policy that says so")
    func optionalElements() async {
      let chat = LiveSamples.Chat()
      let typing = AsyncResource<String?>(.live { try await chat.typing(in: "lobby") })
      let status = typing.observed.map { $0.status(policy: DisplayPolicy(isEmpty: { $0 == nil })).kind }
      #expect(status.current == .loading)
      await typing.load()
      #expect(status.current == .noData)
      #expect(typing.value == .some(nil) && typing.snapshot.status.kind == .data)
    }

    @Test("20.1 a summary is made of an account and of its room")
    func summary() async {
      let chat = LiveSamples.Chat()
      let account = AsyncResource<User> { User() }
      let rooms = AsyncFamily { (room: String) in .live { try await chat.messages(in: room) } }
      let lobby = rooms["lobby"]
      lobby.start(when: .stale)
      let summary = AsyncResource(
        .of(account, then: { rooms[$0.room] }) { user, messages in Summary(name: user.name, unread: messages.count) })
      await summary.load()
      #expect(summary.value == Summary(name: "Ann", unread: 1))
      account.data.value = User(name: "Bob")
      lobby.data.value = ["a", "b"]
      await summary.settled()
      #expect(summary.value == Summary(name: "Bob", unread: 2))
    }
  }
}

/// The samples of comments.
@MainActor
enum LiveCommentSamples {
  struct Row {
    let price: Observed<Int>
  }

  struct Socket: Sendable {
    func messages() async throws -> AsyncStream<Int> { AsyncStream { $0.finish() } }
    func messages(in room: Room.ID) async throws -> AsyncStream<Int> { AsyncStream { $0.finish() } }
  }

  struct Room: Identifiable { var id: Int }
  struct Service: Sendable {
    func headline(for user: String) async throws -> String { user }
  }

  static func live(socket: Socket) {
    let messages = AsyncResource(.live { try await socket.messages() })
    let rooms = AsyncFamily { (room: Room.ID) in .live { try await socket.messages(in: room) } }
    withExtendedLifetime((messages, rooms)) {}
  }

  struct Account { var currency = "CHF", balance = 1 }
  struct Screen {
    init(_ article: String, _ comments: [String]) {}
  }

  static func made(
    article: AsyncResource<String>, comments: AsyncResource<[String]>, account: AsyncResource<Account>,
    rates: AsyncFamily<String, Int>
  ) {
    let screen = AsyncResource(.of(article, comments) { article, comments in Screen(article, comments) })
    let price = AsyncResource(.of(account, then: { rates[$0.currency] }) { account, rate in account.balance * rate })
    withExtendedLifetime((screen, price)) {}
  }
}
