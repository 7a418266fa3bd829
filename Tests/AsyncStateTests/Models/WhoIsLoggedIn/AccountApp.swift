// SPDX-License-Identifier: MIT
import AsyncStateTesting

@testable import AsyncState

/// An app with accounts, as its author writes it: everything that the library has, and the log-out of its documentation.
@ModelActor
final class AccountApp {
  struct Settings {
    let previous: PreviousValue
    let keepUnused: Int
    let isPaced: Bool
    let hasDelay: Bool
    let retries: Int
  }

  typealias Feed = Paged<String, Int>

  /// The stream of news that is open.
  @ModelActor
  final class Connection {
    var element: AsyncStream<String>.Continuation?
  }

  let server: AccountServer
  let board = AsyncTagBoard()
  let gate = LoadGate()
  let stored: MemoryStore<Int, String>
  let inputs = MemoryOutboxStore<String>()
  let isLoggedIn = Input(false)
  let connection = Connection()
  let taps: AsyncMutation<String, String>
  /// Hangs if the server does not answer, and ends by its time limit.
  let payments: AsyncMutation<Int, String>
  private(set) var outbox: AsyncOutbox<String, String>
  /// Those of screens that were left.
  private var leaked: [AsyncOutbox<String, String>] = []
  private let makeOutbox: () -> AsyncOutbox<String, String>
  let feed: AsyncResource<Feed>
  private let account = Input<String?>(nil)
  private let profile: AsyncResource<String>
  private let greeting: AsyncResource<String>
  private let orders: AsyncResource<String>
  private let news: AsyncResource<String>
  private let titles: AsyncFamily<Int, String>
  private let letters: AsyncFamily<Int, String>
  private let pacer: DisplayPacer?
  private(set) var screens: [AccountScreen] = []
  private var polling: Task<Void, Never>?

  init(_ settings: Settings, _ server: AccountServer, _ clock: ManualClock) {
    self.server = server
    pacer = settings.isPaced ? DisplayPacer(clock: clock) : nil
    stored = MemoryStore(clock: clock)
    let limit = settings.retries
    let options = LoadOptions(
      staleAfter: .seconds(3),
      retry: limit == 0 ? .never : RetryPolicy { failed in failed.count > limit ? nil : .zero },
      clock: clock, gate: gate)
    let profile = AsyncResource<String>(isolation: ModelActor.shared, options: options) {
      .value { try await server.get("profile") }
    }
    let greeting = AsyncResource<String>(isolation: ModelActor.shared, options: options) {
      .of(profile) { name in "\(name), \(try await server.get("greeting"))" }
    }
    titles = AsyncFamily(
      isolation: ModelActor.shared, seed: { _ in profile.value.map { "\($0), a seed" } }, options: options,
      keepUnused: settings.keepUnused, board: board, tags: { _, _ in ["titles"] }, store: stored
    ) { key in .value { try await server.get("title \(key)") } }
    letters = AsyncFamily(
      isolation: ModelActor.shared, options: options, keepUnused: settings.keepUnused, board: board,
      tags: { _, _ in ["letters"] }
    ) { (key: Int) in
      .of(greeting) { greeting in "\(greeting), \(try await server.get("letter \(key)"))" }
    }
    orders = AsyncResource(
      isolation: ModelActor.shared, following: account.observed, delay: settings.hasDelay ? .milliseconds(300) : .zero,
      previous: settings.previous, options: options
    ) { account in .value { "\(account), \(try await server.get("orders"))" } }
    feed = AsyncResource(isolation: ModelActor.shared, options: options) {
      .pages { page in
        let row = page.cursor ?? 0
        return Feed.Page(items: [try await server.get("row \(row)")], next: row + 1)
      }
    }
    taps = AsyncMutation(isolation: ModelActor.shared, options: options) { try await server.send($0) }
      .changing({ _ in profile }) { $0 += ", \($1)" }
      .invalidating(board) { _, _ in ["letters"] }
    var limited = options
    limited.timeout = .seconds(2)
    payments = AsyncMutation(isolation: ModelActor.shared, options: limited) { amount, request in
      try await server.pay(amount, request.idempotencyKey)
    }
    .changing({ _ in profile }) { $0 += ", paid \($1)" }
    makeOutbox = { [inputs] in
      AsyncOutbox(
        isolation: ModelActor.shared, store: inputs, options: options,
        isPermanent: { _, attempts in attempts > 2 }
      ) { input, _ in
        try await server.send(input)
      }
      .changing({ _ in profile }) { $0 += ", \($1)" }
    }
    outbox = makeOutbox()
    news = AsyncResource(isolation: ModelActor.shared, options: options) { [connection] in
      .live {
        let text = try await server.get("news")
        let (stream, continuation) = AsyncStream<String>.makeStream()
        connection.element = continuation
        continuation.yield(text)
        return stream
      }
    }
    (self.profile, self.greeting) = (profile, greeting)
    board.gate.close()
    for number in 0..<Self.screenCount { screens.append(screen(number)) }
  }

  // MARK: Screens

  nonisolated static let screenCount = 9

  /// A screen is left, and opened again.
  func openAgain(_ number: Int) {
    // The former one is released first.
    screens[number] = AccountScreen()
    screens[number] = screen(number)
  }

  private func screen(_ number: Int) -> AccountScreen {
    func text(_ resource: AsyncResource<String>, _ name: String) -> AccountScreen {
      AccountScreen(name, resource, pacer) { [$0] }
        .changing(resource, of: server, by: { $0 += ", \($1)" }, push: { $0 })
    }
    return switch number {
    case 0: text(profile, "profile")
    case 1: AccountScreen("greeting", greeting, pacer) { [$0] }
    case 2: text(orders, "orders")
    case 3: text(news, "news")
    case 4:
      AccountScreen("feed", feed, pacer) { $0.items }
        .changing(
          feed, of: server, by: { $0[0] += ", \($1)" }, push: { Feed(first: Feed.Page(items: [$0], next: 1)) })
    case 5, 6: text(titles[number - 5], "title \(number - 5)")
    default: text(letters[number - 7], "letter \(number - 7)")
    }
  }

  /// The next screen has another one of the same store.
  func leakOutbox() {
    leaked.append(outbox)
    outbox = makeOutbox()
    outbox.resume(isolation: ModelActor.shared)
  }

  // MARK: Accounts

  func logIn(_ name: String) {
    server.account = name
    isLoggedIn.write(true)
    board.gate.open()
    account.write(name)
  }

  /// In the order of the documentation.
  func logOut() async {
    isLoggedIn.write(false)
    board.gate.close()
    taps.reset()
    payments.reset()
    try? await outbox.discardAll(isolation: ModelActor.shared)
    account.write(nil)
    profile.forget()
    greeting.forget()
    orders.forget()
    news.forget()
    feed.forget()
    try? await titles.forgetAll(isolation: ModelActor.shared)
    try? await letters.forgetAll(isolation: ModelActor.shared)
    server.account = nil
  }

  func poll() {
    polling?.cancel()
    polling = ModelActor.task { [profile, isLoggedIn] in
      await profile.poll(every: .seconds(2), while: isLoggedIn, isolation: ModelActor.shared)
    }
  }

  // MARK: At rest

  func settle() async {
    polling?.cancel()
    for screen in screens { await screen.settled() }
    await taps.settled(isolation: ModelActor.shared)
    await payments.settled(isolation: ModelActor.shared)
    await outbox.settled(isolation: ModelActor.shared)
  }

  /// What was requested, answered, and is not displayed.
  var missing: String? {
    screens.first { screen in screen.texts().isEmpty }.map { "\($0.name) displays nothing" }
  }

  /// All that a person can see, and that is stored.
  var texts: [(place: String, text: String)] {
    var all = screens.flatMap { screen in screen.texts().map { (screen.name, $0) } }
    all += stored.keys.map { ("the store of titles", stored[$0]?.value ?? "") }
    all += inputs.entries.map { ("the store of inputs", $0.input) }
    all += [("taps", text(of: taps.status)), ("payments", "\(payments.status)")]
    for outbox in leaked + [outbox] {
      all += outbox.entries.map { ("the outbox", "\($0.input) \($0.error.map { "\($0)" } ?? "")") }
    }
    return all
  }

  private func text(of status: MutationStatus<String, String>) -> String {
    switch status {
    case .idle: ""
    case .delayed(let input), .queued(let input), .waitingForNetwork(let input), .sending(let input, _),
      .retrying(_, let input):
      input
    case .succeeded(let output): output
    case .failed(let error, let input): "\(error), \(input)"
    }
  }
}
