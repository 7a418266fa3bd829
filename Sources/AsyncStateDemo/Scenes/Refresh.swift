#if os(macOS) || os(Linux)
import AsyncState

/// A refresh keeps the content, and so does its failure.
struct Refresh: Scene {
  let name = "refresh"
  let summary = "the content stays during a refresh, and beside its failure"

  func play(on stage: Stage) async throws {
    var letters: [String]? = ["Hello!"]
    func fetch() async throws -> [String]? {
      try await stage.server.answer("letters", in: 200...300) {
        guard let letters else { throw Refusal("The server is closed") }
        return letters
      }
    }

    let policy = DisplayPolicy<[String]>(errors: .never)

    // snippet.show
    let inbox = AsyncResource { try await fetch() }
    stage.journal.attach(inbox, name: "inbox")
    stage.box("screen", beside: { inbox.error }) {
      inbox.status(policy: policy)
    }
    await inbox.load()
    // snippet.hide
    try await stage.pause(150)

    for next in [["Hello!", "News!"], nil, ["Hello!", "News!", "Bye!"]] {
      letters = next
      stage.user("refreshes")
      // snippet.show
      await inbox.load(.refresh)
      // snippet.hide
      try await stage.pause(150)
    }
    stage.conclude(library: "the letters stay, the error stands beside them until the next success.")
  }
}
#endif
