// SPDX-License-Identifier: MIT
// Exit tests are only where processes can be started.
#if os(macOS) || os(Linux) || os(Windows)
  import AsyncState
  import Testing

  extension AllTests {
    struct ReporterElsewhereTests {
      private actor Server {
        func load(_ operation: @escaping (LoadReporter<Int>) async throws -> Int?) async {
          await AsyncData<Int>().load(operation: operation)
        }
      }

      enum Use: String, Codable, CaseIterable {
        case progress, yield, current, onMainActor

        func make() async {
          switch self {
          case .progress:
            await Server().load { @concurrent reporter in
              reporter.report(progress: 0.5)
              return 1
            }
          case .yield:
            await Server().load { @concurrent reporter in
              try reporter.yield(1)
              return 1
            }
          case .current: await Server().load { @concurrent reporter in reporter.current }
          case .onMainActor: await Self.loadOnMainActor()
          }
        }

        @MainActor private static func loadOnMainActor() async {
          await AsyncData<Int>().load { @concurrent (reporter: LoadReporter<Int>) in
            reporter.report(progress: 0.5)
            return 1
          }
        }
      }

      @Test("1.8 a reporter that is used in a concurrent operation stops the process, and says why")
      func stops() async {
        for use in Use.allCases {
          let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [use = use as Use] in
            await use.make()
          }
          // In release builds, too.
          let message = "AsyncState: a LoadReporter was used by an operation that has left"
          expectEqual(result?.errorText.contains(message), true, "\(use)")
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
        #expect(progress.contains(0.5))
        token.cancel()
      }
    }
  }
#endif
