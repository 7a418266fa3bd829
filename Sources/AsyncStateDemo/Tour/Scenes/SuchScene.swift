#if os(macOS) || os(Linux)
import AsyncState

/// The seed of the idea: `AsyncData` knows, `determineState` says what it means, a `StateContainer` shows it, and an
/// `AsyncHost` joins the three.
final class SuchScene: Scene {
  static let name = "such"
  static let summary = "a call that is really slow, and answers with nothing, a text or an error"

  func play(on stage: Stage) async throws {
    var answers: [Result<String?, SuchError>] = [.success("such text"), .success(nil), .failure(SuchError())]
    answers.shuffle(using: &stage.random)
    let service = SuchService(answers: answers, backend: stage.backend(lag: 250...500))

    let panels = StatusPanels(clock: stage.clock) { (text: String) in [text] }
    let text = AsyncResource { try await service.such() }
    let data = text.data
    let host = AsyncHost(text, children: panels.children)
    stage.follow(data) { "“\($0)”" }
    stage.tell("The screen loads, and appears.")
    host.load()
    stage.show(host)
    await data.settled()

    for _ in answers.dropFirst() {
      try await stage.pause(200)
      stage.tell("Somebody presses the reload button.")
      host.reload()
      await data.settled()
    }
  }
}

/// Knows what it will answer, in turn.
@MainActor
private final class SuchService {
  private var answers: [Result<String?, SuchError>]
  private let backend: LaggyBackend

  init(answers: [Result<String?, SuchError>], backend: LaggyBackend) {
    self.answers = answers
    self.backend = backend
  }

  func such() async throws -> String? {
    let answer = answers.removeFirst()
    return try await backend.answer("such") { try answer.get() }
  }
}

private struct SuchError: Error, CustomStringConvertible {
  var description: String { "such an error" }
}
#endif
