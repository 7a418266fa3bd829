// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Observation
import Testing

/// The sample of the article Adopting, which has nothing of the library.
enum RemovingSamples {
  typealias Phase = TaskSamples.Phase
  typealias TitleService = TaskSamples.TitleService

  @MainActor
  @Observable
  final class TitlesByHand {
    private(set) var phase = Phase.loading
    private(set) var request: Task<Void, Never>?
    private let service: any TitleService

    init(service: any TitleService) { self.service = service }

    func load() {
      request?.cancel()
      request = Task {
        do {
          let titles = try await service.titles()
          // The previous request was cancelled, and may be answered all the same.
          if !Task.isCancelled { phase = .loaded(titles) }
        } catch {
          if !Task.isCancelled { phase = .failed("\(error)") }
        }
      }
    }
  }
}

private struct LateTitles: TaskSamples.TitleService {
  let server = ManualServer<[String]>(ignoresCancellation: true)
  func titles() async throws -> [String] { try await server.wait() }
}

extension AllTests {
  @MainActor
  struct RemovingSampleTests {
    private struct Failure: Error {}

    @Test(
      "without the library, the answer and the failure of a former request change nothing", arguments: [true, false])
    func newestWins(fails: Bool) async {
      let service = LateTitles()
      let titles = RemovingSamples.TitlesByHand(service: service)
      titles.load()
      let former = titles.request
      await service.server.arrived(1)
      titles.load()
      await service.server.arrived(2)
      service.server.answer(call: 2, with: .success(["Sun"]))
      await titles.request?.value
      #expect(titles.phase == .loaded(["Sun"]))
      service.server.answer(call: 1, with: fails ? .failure(Failure()) : .success(["Rain"]))
      await former?.value
      #expect(titles.phase == .loaded(["Sun"]))
    }

    @Test("without the library, a failure is displayed")
    func failure() async {
      let service = LateTitles()
      let titles = RemovingSamples.TitlesByHand(service: service)
      titles.load()
      await service.server.arrived(1)
      service.server.answer(call: 1, with: .failure(Failure()))
      await titles.request?.value
      #expect(titles.phase == .failed("Failure()"))
    }
  }
}
