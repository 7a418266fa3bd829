// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

/// The sample of the article Choosing: one of each kind.
enum InitialiserSamples {
  struct Refusal: Error {}

  /// A server for all of them.
  struct Service: Sendable {
    func weather() async throws -> String { "rain" }
    func article(_ id: Int) async throws -> String { "article \(id)" }
    func search(_ text: String) async throws -> [String] { [text] }
    func page(after cursor: Int?) async throws -> Paged<String, Int>.Page { .init(items: ["first"], next: nil) }
    func prices() async throws -> AsyncStream<Int> { AsyncStream { $0.yield(7) } }
    func download() async throws -> String { "file" }
    func names(of ids: [Int]) async throws -> [Int: String] {
      Dictionary(uniqueKeysWithValues: ids.map { ($0, "\($0)") })
    }
    func rename(_ name: String) async throws {}
    func like(_ id: Int) async throws {}
    func save(_ note: String, key: String) async throws { if note.isEmpty { throw Refusal() } }
  }

  /// What the test requests, without the types.
  struct Everything {
    let load: @MainActor () async throws -> [String]
  }

  @MainActor
  static func everything(
    _ service: Service, _ selection: Input<Int?>, _ text: Input<String?>, _ board: AsyncTagBoard,
    _ store: MemoryStore<Int, String>, _ notes: MemoryOutboxStore<String>
  ) -> Everything {
    // One value.
    let weather = AsyncResource { try await service.weather() }
    // Again when a key changes; nil is no key.
    let detail = AsyncResource(following: selection) { id in try await service.article(id) }
    // The same for a text that is typed.
    let found = AsyncResource(following: text, delay: .milliseconds(300), previous: .untilAnswered) { text in
      try await service.search(text)
    }
    // A list in pages.
    let feed = AsyncResource(.pages { page in try await service.page(after: page.cursor) })
    // The elements of a stream.
    let price = AsyncResource(.live { try await service.prices() })
    // A placeholder before the first answer, and progress.
    let file = AsyncResource(
      seed: "",
      .value { (reporter: LoadReporter<String>) in
        reporter.report(progress: 0.5)
        return try await service.download()
      })
    // Values by key, shared by all screens that name the key.
    let articles = AsyncFamily { (id: Int) in try await service.article(id) }
    // The same, marked stale by tag, and stored.
    let stored = AsyncFamily(board: board, tags: { id, _ in [AsyncTag("article", id)] }, store: store) { id in
      try await service.article(id)
    }
    // Many keys in one request.
    let batcher = KeyBatcher<Int, String>(limit: 50) { ids in
      try await service.names(of: ids).mapValues { .success($0) }
    }
    let names = AsyncFamily { (id: Int) in try await batcher.value(for: id) }
    // A value that is written by hand.
    let position = AsyncData<Int>()
    // A mutation: two equal inputs at a time are one request, others are sent one after another.
    let rename = AsyncMutation { (name: String) in try await service.rename(name) }
    // Each input is sent, in a queue for each row.
    let like = AsyncMutation(overlap: .queue, lane: { $0 }) { (id: Int) in try await service.like(id) }
    // An input that survives the end of the app.
    let save = AsyncOutbox(store: notes, isPermanent: { error, _ in error is Refusal }) { note, request in
      try await service.save(note, key: request.idempotencyKey)
    }
    position.value = 3
    return Everything {
      let values = [
        try await weather.get(), try await detail.get(), try await found.get().joined(),
        try await feed.get().items.joined(), try await file.get(), try await articles[2].get(),
        try await stored[3].get(), try await names[4].get(), "\(position.value ?? 0)",
      ]
      await price.load()
      try await rename.perform("a").get()
      try await like.perform(1).get()
      try await save.perform("note").get()
      return values + ["\(price.value ?? 0)"]
    }
  }
}

extension AllTests {
  @MainActor
  struct InitialiserSampleTests {
    @Test("each initialiser of the table makes something that is requested or sent")
    func everything() async throws {
      let everything = InitialiserSamples.everything(
        .init(), Input(1), Input("swan"), AsyncTagBoard(), MemoryStore(), MemoryOutboxStore())
      #expect(
        try await everything.load() == [
          "rain", "article 1", "swan", "first", "file", "article 2", "article 3", "4", "3", "7",
        ])
    }
  }
}
