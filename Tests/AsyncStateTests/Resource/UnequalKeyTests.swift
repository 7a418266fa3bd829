// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux) || os(Windows)
  import AsyncState
  import Testing

  extension AllTests {
    struct UnequalKeyTests {
      #if DEBUG
        @Test(
          "9.4 NaN stops a debug build with a message that names the type and says what to do",
          arguments: [true, false])
        func stops(isAtFirst: Bool) async {
          let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [isAtFirst] in
            @MainActor func run() async {
              let key = Input<Double?>(isAtFirst ? .nan : 1)
              let resource = AsyncResource(following: key.observed) { _ in 1 }
              await resource.load()
              if !isAtFirst { key.write(.nan) }
            }
            await run()
          }
          expectEqual(result?.errorText.contains("of type Double, is not equal to itself"), true)
          expectEqual(result?.errorText.contains("one that is never NaN"), true)
        }
      #else
        @Test("9.4 NaN is no key in a release build, and nothing is requested for it")
        @MainActor
        func isNoKey() async {
          let key = Input<Double?>(1)
          var requests = 0
          let resource = AsyncResource(following: key.observed) { _ in
            requests += 1
            return requests
          }
          await resource.load()
          key.write(.nan)
          await resource.load()
          expectEqual(requests, 1)
          expectNil(resource.value)
          expect(!resource.isRunning)
          key.write(2)
          await resource.load()
          expectEqual(resource.value, requests)
        }
      #endif
    }
  }
#endif
