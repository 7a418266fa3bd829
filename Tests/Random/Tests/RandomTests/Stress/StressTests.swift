// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// Many actors, each with data, a host and a container of its own, all driven at once: work for the thread sanitizer.
  struct StressTests {
    /// One who has a host.
    actor Owner {
      private let number: Int
      private let clock = ManualClock()
      private let recorder = StatusRecorder()
      private var host: AsyncHost<Int>?

      init(_ number: Int) {
        self.number = number
      }

      /// Displays, loads in every way there is, and releases.
      ///
      /// - Returns: What was shown, and how each load ended.
      func live() async -> String {
        let host = AsyncHost<Int>(
          data: AsyncData(options: LoadOptions(clock: clock)),
          pacer: DisplayPacer(delay: .zero, minimum: .zero, clock: clock), request: { _, _ in },
          children: { [StatusChild(PacerModel.Status($0))] })
        self.host = host
        host.container.delegate = recorder
        host.appear(animated: false)
        host.start()
        var outcomes: [String] = []

        // Answered from elsewhere, beside one that is superseded and deaf.
        let deaf = ManualServer<Int?>(ignoresCancellation: true)
        let gate = ManualServer<Int?>()
        let older = host.data.start { try await deaf.wait() }
        await deaf.arrived(1)
        let newer = host.data.start(options: LoadOptions(retry: .exponential(), timeout: .seconds(1))) {
          try await gate.wait()
        }
        await gate.arrived(1)
        Task.detached { [number] in
          gate.answer(call: 1, with: .success(number))
          deaf.answer(call: 1, with: .success(-1))
        }
        outcomes.append(await newer.outcome().word)
        outcomes.append(await older.outcome().word)

        // Cancelled from elsewhere.
        let waiting = ManualServer<Int?>()
        let structured = Task { await refresh(at: waiting) }
        await waiting.arrived(1)
        Task.detached { structured.cancel() }
        outcomes.append(await structured.value ?? "no host")

        // Changed before it is confirmed, with observers about.
        let token = host.data.observed.observe { _ in }
        outcomes.append(await host.data.mutate({ $0 += 1 }, commit: {}).word)
        token.cancel()
        await deaf.ended(1)

        host.container.willDisappear(animated: false)
        host.container.didDisappear(animated: false)
        let end = host.data.start(.reload) { try await waiting.wait() }
        await waiting.arrived(2)
        self.host = nil
        end.cancel()
        let shown = recorder.shown.map(\.status)
        return "\(shown) \(outcomes.joined(separator: ", ")) \(clock.sleeperCount)"
      }

      private func refresh(at gate: ManualServer<Int?>) async -> String? {
        await host?.data.load(.refresh) { try await gate.wait() }.word
      }
    }

    @Test("1.1 every owner sees what it would see alone")
    func manyActors() async {
      let count = min(Soak.times(1_000), 10_000)
      let results = await withTaskGroup(of: (Int, String).self) { group in
        for number in 0..<count { group.addTask { (number, await Owner(number).live()) } }
        return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      #expect(results.count == count)
      let wrong = results.first { number, result in result != Self.expected(number) }
      #expect(wrong?.value == wrong.map { Self.expected($0.key) })
    }

    private static func expected(_ number: Int) -> String {
      let shown: [PacerModel.Status] = [
        .loading, .loading, .data(number), .data(number + 1), .loading, .data(number + 1),
      ]
      return "\(shown) value \(number), superseded, cancelled, value \(number + 1) 0"
    }
  }
}
