// A screen in a module whose default isolation is the main actor: there is nothing to write about actors, but where a
// property gets its value, because there is no actor yet.
// swiftc: -default-isolation MainActor

import AsyncState

final class Spinner: ChildController {
  private(set) var isTurning = false

  func willAppear(animated: Bool) { isTurning = true }
  func didDisappear(animated: Bool) { isTurning = false }
}

final class Screen: AsyncDataDelegate {
  private let title = AsyncData<String>()
  private let spinner = Spinner()
  private let pacer = DisplayPacer(isolation: MainActor.shared)
  private lazy var host = makeHost()
  private(set) var text = ""

  func appear() {
    title.delegate = self
    title.start { try await self.fetchTitle() }
    host.load()
  }

  func asyncData(_ data: AsyncData<String>, didInvalidateStateForced forced: Bool) {
    text = data.value ?? ""
  }

  func reloadAsyncData() {
    title.reset()
  }

  private func makeHost() -> AsyncHost<String> {
    AsyncHost(
      pacer: pacer, operation: { try await self.fetchTitle() },
      children: { [spinner] status in status.kind == .loading ? [spinner] : [] })
  }

  private func fetchTitle() async throws -> String {
    "Feed"
  }
}
