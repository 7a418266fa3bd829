// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

/// The samples of the articles *Forms and buttons* and *Editing a list*, and of the comments of changes and mutations.
enum CommandSamples {
  struct Service: Sendable {
    static let shared = Service()
    func signUp(_ form: Form) async throws -> Account { Account(name: form.name) }
  }

  @MainActor
  final class SignUpScreen {
    let signUp = AsyncMutation { (form: Form) in try await Service.shared.signUp(form) }

    func tapped(_ form: Form) { signUp.perform(form) }
  }

  @MainActor
  static func change(_ post: AsyncData<Post>, _ service: PostService) async -> AsyncOutcome<Post?> {
    let outcome = await post.mutate {
      $0.likes += 1
    } commit: {
      try await service.like()
    }
    return outcome
  }

  actor PostService {
    private var post = Post(likes: 10)
    func like() throws -> Post {
      post.likes += 1
      return post
    }
  }

  @MainActor
  static func likeAlone(_ service: LikeService, _ posts: AsyncFamily<Int, Post>) -> AsyncMutation<Int, Void> {
    let like = AsyncMutation { (id: Post.ID) in try await service.like(id) }
      .changing({ [posts] id in posts[id] }) { post, _ in post.likes += 1 }
    return like
  }

  struct Refusal: Error, CustomStringConvertible {
    var name: String
    var description: String { name }
  }

  struct Form: Equatable, Sendable { var name: String }
  struct Account: Sendable { var name: String }
  protocol SignUpService: Sendable {
    func signUp(_ form: Form) async throws -> Account
  }

  @MainActor
  final class SignUpModel {
    let signUp: AsyncMutation<Form, Account>

    init(_ service: any SignUpService, clock: any Clock<Duration> = ContinuousClock()) {
      let options = LoadOptions(timeout: .seconds(20), clock: clock)
      signUp = AsyncMutation(options: options) { form in try await service.signUp(form) }
    }

    func tapped(_ form: Form) {
      // The input of a failure is sent again as it was, under the same key.
      if case .failed(_, form) = signUp.status { signUp.retry() } else { signUp.perform(form) }
    }

    var isButtonEnabled: Bool { !signUp.isRunning }

    var message: String? {
      switch signUp.status {
      case .waitingForNetwork: "Waiting for a connection."
      case .idle, .delayed, .queued, .sending, .retrying: nil
      case .succeeded(let account): "Welcome, \(account.name)."
      case .failed(let error, let form): "\(form.name): \(error)"
      }
    }
  }

  struct Post: Equatable, Sendable {
    typealias ID = Int
    var likes: Int
  }

  @MainActor
  static func like(
    _ service: LikeService, _ posts: AsyncFamily<Int, Post>, _ board: AsyncTagBoard
  ) -> AsyncMutation<Int, Void> {
    let like = AsyncMutation(overlap: .queue, lane: { $0 }) { (id: Int) in try await service.like(id) }
      .changing({ id in posts[id] }) { post, _ in post.likes += 1 }
      .invalidating(board) { id, _ in [AsyncTag("post", id)] }
    return like
  }

  struct Story: Equatable {
    var likes: Int
    /// A like is on its way. The server does not know it.
    var isSending = false
  }

  @MainActor
  static func likeOfRow(
    _ stories: AsyncFamily<Int, Story>, _ service: GatedLikes
  ) -> AsyncMutation<Int, Void> {
    let like = AsyncMutation(overlap: .queue, lane: { $0 }) { (id: Int) in try await service.like(id) }
      .changing({ id in stories[id] }) { story, _ in
        story.likes += 1
        story.isSending = true
      } confirming: { story, _, _ in
        story.likes += 1
      }
    return like
  }

  struct GatedLikes: Sendable {
    let server = ManualServer<Void>()
    func like(_ id: Int) async throws { try await server.wait(for: id) }
  }

  @MainActor
  final class StoryRow {
    let like: AsyncMutation<Void, Void>

    init(_ story: AsyncResource<Story>, send: @escaping @MainActor () async throws -> Void) {
      like = AsyncMutation { try await send() }
        .changing({ _ in story }) { story, _ in story.likes += 1 }
    }

    var message: String? {
      switch like.status {
      case .sending: "Sending"
      case .waitingForNetwork: "Waiting for a connection."
      case .retrying: "Trying again"
      case .failed: "Not liked. Try again"  // `like.retry()`
      case .idle, .delayed, .queued, .succeeded: nil
      }
    }
  }

  struct Row: Equatable, Identifiable, Sendable {
    var id: Int
    var text: String
  }

  struct Draft: Sendable {
    /// A temporary identity, which no row of the server has.
    var id: Row.ID
    var text: String
  }

  @MainActor
  final class RowsModel {
    let rows: AsyncResource<[Row]>
    let create: AsyncMutation<Draft, Row>
    let delete: AsyncMutation<Row.ID, Void>
    private var deleted: [Row.ID: MutationTask<Void>] = [:]
    private var draftCount = 0

    init(_ service: RowService, _ clock: any Clock<Duration>) {
      let rows = AsyncResource { try await service.rows() }
      self.rows = rows
      create = AsyncMutation(overlap: .queue) { draft in
        try await service.create(draft.text)
      }.changing({ _ in rows }) { rows, draft in
        rows.append(Row(id: draft.id, text: draft.text))
      } confirming: { rows, _, row in
        if !rows.contains(row) { rows.append(row) }
      }
      let options = LoadOptions(clock: clock)
      // The delay is the time for an undo.
      delete = AsyncMutation(options: options, lane: { $0 }, delay: .seconds(5)) { id in
        try await service.delete(id)
      }.changing({ _ in rows }) { rows, id in
        rows.removeAll { $0.id == id }
      }
    }

    func addTapped(_ text: String) {
      draftCount += 1
      create.perform(Draft(id: -draftCount, text: text))
    }

    func deleteTapped(_ id: Row.ID) { deleted[id] = delete.perform(id) }
    func undoTapped(_ id: Row.ID) { deleted[id]?.cancel() }

    /// The screen that is pushed: two taps that both await the row would push two.
    var pushed: Row? { create.output }
    func popped() { create.clear() }
  }

  @MainActor
  final class TextModel {
    let save: AsyncMutation<String, Void>

    init(_ service: TextService, _ options: LoadOptions) {
      save = AsyncMutation(overlap: .latest, options: options, delay: .milliseconds(500)) { text in
        try await service.save(text)
      }
    }
  }

  struct TextService: Sendable {
    let server = ManualServer<Void>()
    func save(_ text: String) async throws { try await server.wait(for: text) }
  }

  struct Message: Equatable, Sendable {
    var text: String
    var number: Int?
  }

  @MainActor
  final class ChatModel {
    let chat: AsyncResource<[Message]>
    let send: AsyncMutation<Message, Message>

    init(_ service: ChatService) {
      let chat = AsyncResource { try await service.messages() }
      self.chat = chat
      send = AsyncMutation(overlap: .queue) { message in
        try await service.send(message)
      }.changing({ _ in chat }) { messages, message in
        messages.append(message)
      } confirming: { messages, _, sent in
        if !messages.contains(sent) { messages.append(sent) }
      }
    }
  }

  actor ChatService {
    private var stored: [Message] = []
    func messages() throws -> [Message] { stored }
    func send(_ message: Message) throws -> Message {
      stored.append(Message(text: message.text, number: stored.count + 1))
      return stored[stored.count - 1]
    }
  }

  actor RowService {
    private var stored = [Row(id: 1, text: "oak")]
    func rows() throws -> [Row] { stored }
    func create(_ text: String) throws -> Row {
      stored.append(Row(id: stored.count + 1, text: text))
      return stored[stored.count - 1]
    }
    func delete(_ id: Int) throws { stored.removeAll { $0.id == id } }
  }

  /// A server that counts, and refuses what a test has named.
  actor LikeService {
    private(set) var likes = 0
    private let refuses: Bool

    init(refuses: Bool = false) { self.refuses = refuses }

    func like(_ id: Int) throws {
      if refuses { throw Refusal(name: "too many likes") }
      likes += 1
    }

    func post() -> Post { Post(likes: likes) }
  }

  /// Signs up when a test lets it.
  struct Desk: SignUpService {
    let server: ManualServer<Account>
    func signUp(_ form: Form) async throws -> Account { try await server.wait(for: form.name) }
  }
}

extension LoadOptions {
  static let app = LoadOptions(staleAfter: .seconds(60), retry: .exponential())
}

extension AllTests {
  @MainActor
  struct CommandSampleTests {
    typealias Account = CommandSamples.Account
    typealias Desk = CommandSamples.Desk
    typealias Form = CommandSamples.Form
    typealias Refusal = CommandSamples.Refusal
    typealias RowService = CommandSamples.RowService
    typealias RowsModel = CommandSamples.RowsModel
    typealias SignUpModel = CommandSamples.SignUpModel

    @Test("16.2, 16.3 a sign-up form: a double tap, a failure, and a retry")
    func form() async {
      let server = ManualServer<Account>()
      let model = SignUpModel(Desk(server: server), clock: ManualClock())
      model.tapped(Form(name: "Ada"))
      model.tapped(Form(name: "Ada"))
      await server.arrived(1)
      server.answer(call: 1, with: .failure(Refusal(name: "name is taken")))
      await model.signUp.settled()
      #expect(model.message == "Ada: name is taken")
      #expect(server.callCount == 1)
      #expect(model.isButtonEnabled)
      model.tapped(Form(name: "Ada"))
      #expect(!model.isButtonEnabled)
      await server.arrived(2)
      server.answer(call: 2, with: .success(.init(name: "Ada")))
      await model.signUp.settled()
      #expect(model.message == "Welcome, Ada.")
    }

    @Test("16.12 an undo during the delay: the row is there again, and nothing was sent")
    func undo() async throws {
      let (service, clock) = (RowService(), ManualClock())
      let model = RowsModel(service, clock)
      await model.rows.load()
      model.deleteTapped(1)
      #expect(model.rows.value == [])
      model.undoTapped(1)
      #expect(model.rows.value?.map(\.id) == [1])
      await model.delete.settled()
      #expect(try await service.rows().count == 1 && !model.rows.isStale)
    }

    @Test("16.6, 16.7 a like: displayed at once, and requested again after the answer", arguments: [false, true])
    func like(refuses: Bool) async {
      let service = CommandSamples.LikeService(refuses: refuses)
      let board = AsyncTagBoard()
      let posts = AsyncFamily<Int, CommandSamples.Post>(board: board, tags: { id, _ in [AsyncTag("post", id)] }) { _ in
        await service.post()
      }
      let post = posts[1]
      await post.load()
      let like = CommandSamples.like(service, posts, board)
      for _ in 1...2 { like.perform(1) }
      #expect(post.value?.likes == 2)
      await like.settled()
      await board.settled()
      #expect(post.value?.likes == (refuses ? 0 : 2))
      #expect(await service.likes == (refuses ? 0 : 2))
    }

    @Test("16.7, 16.11 a row displays that its own like is on its way, whatever other rows send")
    func likeOfRow() async {
      let server = AsyncFamily<Int, CommandSamples.Story> { _ in .init(likes: 10) }
      let service = CommandSamples.GatedLikes()
      let like = CommandSamples.likeOfRow(server, service)
      let (first, second) = (server[1], server[2])
      await first.load()
      await second.load()
      like.perform(1)
      let last = like.perform(1)
      #expect(first.value == .init(likes: 12, isSending: true) && second.value == .init(likes: 10))
      await service.server.arrived(1)
      like.perform(2)
      await service.server.arrived(2)
      #expect(second.value == .init(likes: 11, isSending: true))
      await first.load()
      #expect(first.value == .init(likes: 12, isSending: true))
      service.server.answer(call: 1, with: .success(()))
      await service.server.arrived(3)
      #expect(first.value?.isSending == true)
      service.server.answer(call: 3, with: .success(()))
      await last.outcome()
      #expect(first.value?.isSending == false && first.value?.likes == 12 && second.value?.isSending == true)
      service.server.answer(call: 2, with: .failure(CommandSamples.Refusal(name: "too many")))
      await like.settled()
      #expect(second.value == .init(likes: 10))
    }

    @Test("16.3, 16.8 a row with a command of its own displays its failure, tries again, and may be released meanwhile")
    func ownRow() async {
      let server = ManualServer<Void>()
      let story = AsyncResource<CommandSamples.Story> { .init(likes: 10) }
      await story.load()
      var row: CommandSamples.StoryRow? = .init(story) { try await server.wait() }
      row?.like.perform()
      #expect(row?.message == "Sending" && story.value?.likes == 11)
      await server.arrived(1)
      server.answer(call: 1, with: .failure(CommandSamples.Refusal(name: "too many")))
      await row?.like.settled()
      #expect(row?.message == "Not liked. Try again" && story.value?.likes == 10)
      let retry = row?.like.retry()
      row = nil
      await server.arrived(2)
      #expect(story.value?.likes == 11)
      server.answer(call: 2, with: .success(()))
      await retry?.outcome()
      #expect(story.value?.likes == 11 && !story.data.hasPendingChanges)
    }

    @Test("16.7, 16.8, 16.11 a row that the server names, a delete with an undo, and one that is sent after the screen")
    func rows() async throws {
      let (service, clock) = (CommandSamples.RowService(), ManualClock())
      var model: CommandSamples.RowsModel? = CommandSamples.RowsModel(service, clock)
      await model?.rows.load()
      for text in ["elm", "ash"] { model?.addTapped(text) }
      #expect(model?.rows.value?.map(\.id) == [1, -1, -2])
      await model?.create.settled()
      #expect(model?.rows.value?.map(\.id) == [1, 2, 3] && model?.pushed?.text == "ash")
      model?.popped()
      #expect(model?.pushed == nil)
      model?.deleteTapped(1)
      model?.deleteTapped(2)
      #expect(model?.rows.value?.map(\.id) == [3])
      await clock.sleepers(atLeast: 2)
      model?.undoTapped(2)
      #expect(model?.rows.value?.map(\.id) == [2, 3] && model?.rows.isStale == false)
      let delete = model?.delete
      model = nil
      await clock.advance(by: .seconds(5))
      await delete?.settled()
      #expect(try await service.rows().map(\.id) == [2, 3])
    }

    @Test("16.2, 16.12 a form that saves itself: after a pause in typing, one at a time, the newest")
    func savesItself() async {
      let (service, clock) = (CommandSamples.TextService(), ManualClock())
      let model = CommandSamples.TextModel(service, LoadOptions(clock: clock))
      func pause() async {
        await clock.sleepers(atLeast: 1)
        await clock.advance(by: .milliseconds(500))
      }
      for text in ["h", "he"] { model.save.perform(text) }
      await pause()
      await service.server.arrived(for: "he")
      let superseded = model.save.perform("hel")
      model.save.perform("hello")
      guard case .superseded = await superseded.outcome() else { return #expect(Bool(false)) }
      service.server.answer(for: "he", with: .success(()))
      await pause()
      await service.server.arrived(for: "hello")
      service.server.answer(for: "hello", with: .success(()))
      await model.save.settled()
      #expect(service.server.arguments(as: String.self) == ["he", "hello"])
    }

    @Test("16.2, 16.7 a chat: two equal messages are two, in order")
    func chat() async throws {
      let service = CommandSamples.ChatService()
      let model = CommandSamples.ChatModel(service)
      await model.chat.load()
      for text in ["hi", "hi", "all"] { model.send.perform(.init(text: text)) }
      #expect(model.chat.value?.map(\.text) == ["hi", "hi", "all"])
      await model.send.settled()
      #expect(model.chat.value?.map(\.number) == [1, 2, 3])
      #expect(try await service.messages().map(\.text) == ["hi", "hi", "all"])
    }

    @Test("3.12 a commit whose result is ignored")
    func labels() async {
      let post = AsyncData<CommandSamples.Post>()
      post.value = CommandSamples.Post(likes: 1)
      let outcome = await CommandSamples.change(post, CommandSamples.PostService())
      #expect((try? outcome.get())?.likes == 2 && post.value?.likes == 2)
    }

    @Test("16.1 a command is the initial value of a property, with options that the app has once")
    func screen() async {
      let screen = CommandSamples.SignUpScreen()
      screen.tapped(.init(name: "Ada"))
      await screen.signUp.settled()
      #expect(screen.signUp.output?.name == "Ada")
      #expect(LoadOptions.app.staleAfter == .seconds(60))
      let posts = AsyncFamily<Int, CommandSamples.Post> { _ in CommandSamples.Post(likes: 5) }
      let post = posts[1]
      await post.load()
      let like = CommandSamples.likeAlone(CommandSamples.LikeService(), posts)
      like.perform(1)
      #expect(post.value?.likes == 6)
      await like.settled()
    }
  }
}
