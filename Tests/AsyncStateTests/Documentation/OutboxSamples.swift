// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

/// The samples of the article *Drafts that survive*, and of the comments of outboxes.
enum OutboxSamples {
  struct Note: Hashable, Sendable {
    var id: Int
    var text: String
  }

  struct Refusal: Error, CustomStringConvertible { var description: String { "too long" } }

  protocol NoteService: Sendable {
    func notes() async throws -> [Note]
    func save(_ note: Note, key: String) async throws
  }

  @MainActor
  final class NotesModel {
    let notes: AsyncResource<[Note]>
    let save: AsyncOutbox<Note, Void>

    init(_ service: any NoteService, _ store: any OutboxStore<Note>, _ options: LoadOptions) {
      let notes = AsyncResource { try await service.notes() }
      self.notes = notes
      save = AsyncOutbox(
        store: store, options: options, lane: { "\($0.id)" }, isPermanent: { error, _ in error is Refusal }
      ) { note, request in
        try await service.save(note, key: request.idempotencyKey)
      }.changing({ _ in notes }) { list, note in list.append(note) }
    }

    /// At the start of the app: what the last launch has left is displayed, and sent.
    func start() { save.resume() }

    /// In a background task of the system: returns when nothing is left that can be sent now.
    func sendNow() async { await save.resume().finished() }

    /// Returns when the note is safe, with a network or without.
    func tapped(_ note: Note) async throws { try await save.perform(note).accepted() }

    /// After each edit, or a pause in typing.
    func edited(_ note: Note) async throws {
      let earlier = save.entries.filter { $0.input.id == note.id }
      let isReplaced = if let last = earlier.last { try await save.replace(last, with: note) } else { false }
      if !isReplaced { try await save.perform(note).accepted() }
      for entry in earlier where entry.phase == .failed { save.discard(entry) }
    }

    var message: String? {
      if let failed = save.entries.first(where: { $0.phase == .failed }), let error = failed.error {
        return "\(failed.input.text): \(error)"
      }
      return save.state.waitingCount > 0 ? "\(save.state.waitingCount) waiting" : nil
    }
  }

  /// Remembers keys, and refuses long notes.
  actor Desk: NoteService {
    private var saved: [Note] = []
    private var keys: Set<String> = []
    func notes() -> [Note] { saved }
    func save(_ note: Note, key: String) throws {
      guard note.text.count < 10 else { throw Refusal() }
      if keys.insert(key).inserted { saved.append(note) }
    }
  }

  struct Photo: Sendable { var size = 4 }

  struct PhotoService: Sendable {
    let server = ManualServer<Void>()
    @MainActor func upload(_ photo: Photo, key: String, _ report: (Double) -> Void) async throws -> String {
      for part in 1...photo.size {
        report(Double(part) / Double(photo.size))
        try await server.wait()
      }
      return key
    }
  }

  @MainActor
  static func upload(_ service: PhotoService) -> AsyncMutation<Photo, String> {
    let upload = AsyncMutation { (photo: Photo, request: MutationReporter) in
      try await service.upload(photo, key: request.idempotencyKey) { request.report(progress: $0) }
    }
    return upload
  }

  enum Edit: Sendable {
    case create(Note)
    case change(Note)

    /// It belongs to what has another identity by now.
    func replacing(_ former: Int, by id: Int) -> Edit? {
      guard case .change(var note) = self, note.id == former else { return nil }
      note.id = id
      return .change(note)
    }
  }

  static func rewrite(_ edits: AsyncOutbox<Edit, Note>) {
    edits.rewriting { edit, answer in
      guard case .create(let draft) = edit else { return nil }
      return { $0.replacing(draft.id, by: answer.id) }
    }
  }

  struct TextService: Sendable {
    let server: ManualServer<Void>
    func save(_ note: String, key: String) async throws { try await server.wait(for: "\(key): \(note)") }
  }

  @MainActor
  static func restart(_ service: TextService) async {
    let store = MemoryOutboxStore<String>()
    store.put("Bread", key: "1")
    let notes = AsyncOutbox(store: store, isPermanent: { error, _ in error is Refusal }) { (note: String, request) in
      try await service.save(note, key: request.idempotencyKey)
    }
    await notes.resume().finished()
  }

  @MainActor
  static func notes(
    _ service: Desk, _ store: any OutboxStore<Note>
  ) -> AsyncOutbox<Note, Void> {
    let notes = AsyncOutbox(store: store, options: .app, isPermanent: { error, _ in error is Refusal }) {
      (note: Note, request) in try await service.save(note, key: request.idempotencyKey)
    }
    return notes
  }
}

extension AllTests {
  @MainActor
  struct OutboxSampleTests {
    typealias Desk = OutboxSamples.Desk
    typealias Note = OutboxSamples.Note
    typealias NotesModel = OutboxSamples.NotesModel

    @Test("what was written without a network is sent by the next launch")
    @MainActor
    func nextLaunch() async throws {
      let (service, store) = (Desk(), MemoryOutboxStore<Note>())
      var model = NotesModel(service, store, LoadOptions(gate: LoadGate(isOpen: false)))
      try await model.tapped(Note(id: 1, text: "Bread"))
      #expect(model.message == "1 waiting")

      // The next launch.
      model = NotesModel(service, store, LoadOptions())
      await model.sendNow()
      #expect(await service.notes() == [Note(id: 1, text: "Bread")])
      #expect(model.message == nil)
    }

    @Test("17.1, 17.5, 17.7 a note is written offline, survives a restart, and is sent when there is a network")
    func notes() async throws {
      let (desk, store, online) = (OutboxSamples.Desk(), MemoryOutboxStore<OutboxSamples.Note>(), LoadGate())
      let options = LoadOptions(gate: online)
      online.close()
      var model = OutboxSamples.NotesModel(desk, store, options)
      model.start()
      await model.notes.load()
      try await model.tapped(.init(id: 1, text: "Bread"))
      try await model.tapped(.init(id: 2, text: "A very long note"))
      #expect(model.notes.value?.map(\.text) == ["Bread", "A very long note"] && model.message == "2 waiting")
      model = OutboxSamples.NotesModel(desk, store, options)
      await model.save.resume().restored()
      await model.notes.load()
      #expect(model.notes.value?.map(\.text) == ["Bread", "A very long note"] && model.message == "2 waiting")
      online.open()
      await model.save.settled()
      #expect(await desk.notes().map(\.text) == ["Bread"] && model.message == "A very long note: too long")
      #expect(model.notes.value?.map(\.text) == ["Bread"])
      model.save.discard(try #require(model.save.entries.first { $0.phase == .failed }))
      await model.save.settled()
      #expect(model.message == nil && store.count == 0)
    }

    @Test("17.12 a form that saves itself: one entry until it is sent, and none of what was refused before")
    func savesItself() async throws {
      let (desk, store, online) = (Desk(), MemoryOutboxStore<Note>(), LoadGate())
      online.close()
      let model = NotesModel(desk, store, LoadOptions(clock: ManualClock(), gate: online))
      for text in ["R", "Rye", "Rye bread, sliced"] { try await model.edited(.init(id: 1, text: text)) }
      #expect(store.entries.map(\.input.text) == ["Rye bread, sliced"] && store.entries.first?.attempts == 0)
      online.open()
      await model.save.settled()
      #expect(model.message == "Rye bread, sliced: too long")

      online.close()
      for text in ["Rye b", "Rye bread"] { try await model.edited(.init(id: 1, text: text)) }
      await model.save.settled()
      #expect(model.save.entries.map(\.input.text) == ["Rye bread"] && store.count == 1)
      online.open()
      await model.save.settled()
      #expect(await desk.notes().map(\.text) == ["Rye bread"] && store.count == 0)
    }

    @Test("16.10 the progress of an upload")
    func upload() async throws {
      let service = OutboxSamples.PhotoService()
      let upload = OutboxSamples.upload(service)
      let task = upload.perform(.init())
      for part in 1...4 {
        await service.server.arrived(part)
        #expect(upload.progress == Double(part) / 4)
        service.server.answer(call: part, with: .success(()))
      }
      #expect(try await task.get().count == 36)
    }

    @Test("17.14 an edit follows what it edits to the identity that the server gives")
    func rewriting() async throws {
      let store = MemoryOutboxStore<OutboxSamples.Edit>()
      let edits = AsyncOutbox<OutboxSamples.Edit, OutboxSamples.Note>(store: store, isPermanent: { _, _ in false }) {
        edit, _ in
        switch edit {
        case .create(let note): .init(id: 52, text: note.text)
        case .change(let note): note
        }
      }
      OutboxSamples.rewrite(edits)
      edits.perform(.create(.init(id: -1, text: "Bread")))
      let change = edits.perform(.change(.init(id: -1, text: "Rye bread")))
      #expect(try await change.get() == .init(id: 52, text: "Rye bread"))
      await edits.settled()
      #expect(store.count == 0)
    }

    @Test("17.7 an outbox in memory, as an earlier launch has left it")
    func memory() async {
      let server = ManualServer<Void>()
      server.answer(call: 1, with: .success(()))
      await OutboxSamples.restart(.init(server: server))
      #expect(server.arguments(as: String.self) == ["1: Bread"])
      let desk = OutboxSamples.Desk()
      let others = OutboxSamples.notes(desk, MemoryOutboxStore())
      others.perform(.init(id: 1, text: "Milk"))
      await others.settled()
      #expect(await desk.notes().count == 1)
    }
  }
}
