// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

// Exit tests are only where processes can be started.
#if os(macOS) || os(Linux) || os(Windows)
  extension AllTests {
    /// Code that computes something from data, and writes to that data.
    @MainActor
    struct ComputingTests {
      enum Code: String, Codable, CaseIterable {
        case patch, equality, policy, key, source
      }

      enum Write: String, Codable, CaseIterable {
        case value, error, update, receive, reset, forget, invalidate, cancel
      }

      #if DEBUG
        @Test("1.9 code that writes to the data that it is called for stops a debug build with what to do")
        func stops() async {
          for code in Code.allCases {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
              [code = code as Code] in
              await ComputingTests.stop(in: code)
            }
            expectEqual(
              result?.errorText.contains("a patch, an `==`, a display policy, a key or the source of a key has"), true)
            expectEqual(result?.errorText.contains("move the write out of it"), true)
          }
        }
      #else
        @Test(
          "1.9 a release build ignores what code writes to the data that it is called for", arguments: Code.allCases)
        func isIgnored(code: Code) async {
          for write in Write.allCases {
            let data = await Self.run(code, write)
            let expected =
              switch code {
              case .patch: "loaded, patched"
              case .equality: "other"
              case .policy: "loaded"
              case .key, .source: "loaded for 2"
              }
            expectEqual(data.value?.word, expected, "\(write)")
            expectNil(data.error, "\(write)")
          }
        }
      #endif

      static func stop(in code: Code) async { _ = await run(code, .value) }

      /// Lets the code write to the data that it is called for.
      static func run(_ code: Code, _ write: Write) async -> AsyncData<Text> {
        let key = Input<Text?>(Text(word: "1"))
        var inSource: (@MainActor () -> Void)?
        let resource = AsyncResource(following: key.observed) { key in
          inSource?()
          return .value { Text(word: key.word == "1" ? "loaded" : "loaded for 2") }
        }
        await resource.load()
        let data = resource.data
        let body: @MainActor @Sendable () -> Void = { Self.write(write, to: data) }
        switch code {
        case .patch:
          _ = await data.mutate {
            body()
            $0.word += ", patched"
          } commit: {
          }
        case .equality:
          data.value = Text(word: "own", onComparison: body)
          data.value = Text(word: "other")
        case .policy:
          _ = data.status(
            policy: DisplayPolicy(isEmpty: { _ in
              MainActor.assumeIsolated { body() }
              return false
            }))
        case .key: key.write(Text(word: "2", onComparison: body))
        case .source:
          inSource = body
          key.write(Text(word: "2"))
        }
        await resource.settled()
        return data
      }

      private static func write(_ write: Write, to data: AsyncData<Text>) {
        switch write {
        case .value: data.value = Text(word: "written")
        case .error: data.error = Failure()
        case .update: data.update { $0.word = "updated" }
        case .receive: data.receive(Text(word: "received"))
        case .reset: data.reset()
        case .forget: data.forget()
        case .invalidate: data.invalidate()
        case .cancel: data.cancel()
        }
      }

      /// The value of the data, and its key.
      struct Text: Equatable, Sendable {
        var word: String
        var onComparison: (@MainActor @Sendable () -> Void)?

        nonisolated static func == (left: Text, right: Text) -> Bool {
          // Justified: data compares on its actor, which is the main actor here.
          MainActor.assumeIsolated { left.onComparison?() }
          return left.word == right.word
        }
      }
    }
  }
#endif
