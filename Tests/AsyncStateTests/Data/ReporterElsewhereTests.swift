// SPDX-License-Identifier: MIT
// Exit tests are only where processes can be started.
#if os(macOS) || os(Linux) || os(Windows)
  import AsyncState
  import Testing

  /// Keeps an actor busy until the process stops: what is enqueued there does not run.
  private func keepBusy(_ actor: any Actor) async {
    await withCheckedContinuation { began in
      Task { await spin(on: actor, began) }
    }
  }

  private func spin(on actor: isolated any Actor, _ began: CheckedContinuation<Void, Never>) {
    began.resume()
    while true {}
  }

  extension AllTests {
    struct ReporterElsewhereTests {
      private actor Server {
        func load(_ operation: @escaping (LoadReporter<Int>) async throws -> Int?) async {
          await AsyncData<Int>().load(operation: operation)
        }
      }

      enum Use: String, Codable, CaseIterable {
        case progress, yield, current, onMainActor

        /// - Parameter isBusy: Whether the actor of the data does something else meanwhile.
        func make(isBusy: Bool) async {
          if self == .onMainActor { return await Self.loadOnMainActor(isBusy: isBusy) }
          let server = Server()
          await server.load { @concurrent reporter in
            if isBusy { await keepBusy(server) }
            switch self {
            case .progress, .onMainActor: reporter.report(progress: 0.5)
            case .yield: try reporter.yield(1)
            case .current: return reporter.current
            }
            return 1
          }
        }

        @MainActor private static func loadOnMainActor(isBusy: Bool) async {
          await AsyncData<Int>().load { @concurrent (reporter: LoadReporter<Int>) in
            if isBusy { await keepBusy(MainActor.shared) }
            reporter.report(progress: 0.5)
            return 1
          }
        }
      }

      @Test(
        "1.8 a reporter that is used in a concurrent operation stops the process, and says why", arguments: Use.allCases
      )
      func stops(use: Use) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          [use = use as Use] in
          await use.make(isBusy: true)
        }
        // In release builds, too.
        let message = "AsyncState: a LoadReporter was used by an operation that has left"
        expectEqual(result?.errorText.contains(message), true, "\(use)")
      }

      @Test("1.8 where the actor is idle it stops the process, too, in these words or those of the system")
      func stopsWhileIdle() async {
        for use in Use.allCases {
          await #expect(processExitsWith: .failure) { [use = use as Use] in await use.make(isBusy: false) }
        }
      }

      @Test("3.8 a function of no actor reports where the operation calls it")
      @MainActor func helper() async {
        nonisolated func half(_ reporter: LoadReporter<Int>) { reporter.report(progress: 0.5) }
        let data = AsyncData<Int>()
        var progress: [Double?] = []
        let token = data.observed.observe { progress.append($0.activity?.progress) }
        await data.load { reporter in
          half(reporter)
          return 1
        }
        expect(progress.contains(0.5))
        token.cancel()
      }
    }
  }
#endif
