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

      /// What is printed, in release builds, too.
      private func expectMessage(_ result: ExitTest.Result?) {
        expectEqual(
          result?.errorText.contains("AsyncState: a LoadReporter was used by an operation that has left"), true)
      }

      @Test("1.8 reporting progress from a concurrent operation stops the process, and says why")
      func progress() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          await Server().load { @concurrent reporter in
            reporter.report(progress: 0.5)
            return 1
          }
        }
        expectMessage(result)
      }

      @Test("1.8 yielding from a concurrent operation stops the process")
      func yield() async {
        await #expect(processExitsWith: .failure) {
          await Server().load { @concurrent reporter in
            try reporter.yield(1)
            return 1
          }
        }
      }

      @Test("1.8 reading the current value in a concurrent operation stops the process")
      func current() async {
        await #expect(processExitsWith: .failure) {
          await Server().load { @concurrent reporter in reporter.current }
        }
      }

      @Test("1.8 so does a concurrent operation of the main actor's data")
      func mainActor() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          @MainActor func load() async {
            await AsyncData<Int>().load { @concurrent (reporter: LoadReporter<Int>) in
              reporter.report(progress: 0.5)
              return 1
            }
          }
          await load()
        }
        expectMessage(result)
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
