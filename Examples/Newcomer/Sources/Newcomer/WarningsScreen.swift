// SPDX-License-Identifier: MIT
// Warnings that are requested again every half minute while they are visible, and later after a failure.

import AsyncState

protocol WarningService: Sendable {
  func warnings() async throws -> [String]
}

@MainActor
final class WarningsScreen {
  let warnings: AsyncResource<[String]>
  private var polling: Task<Void, Never>?

  init(service: any WarningService, clock: any Clock<Duration> = ContinuousClock()) {
    warnings = AsyncResource(options: LoadOptions(clock: clock)) { try await service.warnings() }
  }

  func viewWillAppear() {
    polling = Task { [warnings] in
      await warnings.poll(every: {
        if $0.error == nil { return .seconds(30) }
        return Mistake.failureEndsPolling.isMade ? nil : .seconds(120)
      })
    }
  }

  func viewDidDisappear() {
    if !Mistake.pollingOutlivesTheScreen.isMade { polling?.cancel() }
  }

  var lines: [String] {
    switch warnings.status {
    case .data(let warnings): warnings
    case .loading, .noData, .idle, .waiting: []
    case .error(let error): ["\(error)"]
    }
  }
}
