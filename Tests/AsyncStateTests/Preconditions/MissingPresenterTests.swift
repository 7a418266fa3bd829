// SPDX-License-Identifier: MIT
@testable import AsyncState
import Testing

#if os(macOS) || os(Linux) || os(Windows)
  extension AllTests {
    struct MissingPresenterTests {
      final class Presenter: AsyncStatusPresenter {
        func transitionToLoading(animated: Bool) {}
        func transitionToError(_ error: any Error, animated: Bool) {}
        func transitionToNoData(animated: Bool) {}
        func transitionToIdle(animated: Bool) {}
        func transitionToWaiting(animated: Bool) {}
        func transitionToData(_ value: Int, animated: Bool) {}
      }

      private static let message = "AsyncState: an AsyncHost has a status to display, and its presenter is nil."

      private func count(in output: String) -> Int {
        output.split(separator: "\n").filter { $0.hasPrefix(Self.message) }.count
      }

      private var expected: Int {
        #if DEBUG
          1
        #else
          0
        #endif
      }

      @Test("6.3 a presenter that was never set prints one message in debug builds, at the first status")
      func neverSet() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
          @MainActor in
          let host = AsyncHost(data: AsyncData<Int>(), request: { _, _ in })
          host.start()
          host.data.value = 1
          host.data.value = 2
        }
        #expect(count(in: result.outputText) == expected)
      }

      @Test("6.3 a presenter that was never kept prints one message in debug builds, and the host continues")
      func neverKept() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
          @MainActor in
          let host = AsyncHost(data: AsyncData<Int>(), request: { _, _ in })
          func setPresenter() {
            let presenter = Presenter()
            host.presenter = presenter
          }
          setPresenter()
          host.start()
          host.data.value = 1
          #expect(host.status == .data(1))
        }
        #expect(count(in: result.outputText) == expected)
      }

      @Test("6.3 a presenter that was released prints one message in debug builds, when it should show something")
      func released() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
          @MainActor in
          var presenter: Presenter? = Presenter()
          let host = AsyncHost(data: AsyncData<Int>(), request: { _, _ in })
          host.presenter = presenter
          host.start()
          presenter = nil
          print("released")
          host.data.value = 1
          host.data.value = 2
          withExtendedLifetime(presenter) {}
        }
        #expect(count(in: result.outputText) == expected)
        #expect(result.outputText.hasPrefix("released"))
      }

      @Test("6.3 a host with children, or with its presenter, prints nothing")
      func nothingIsMissing() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
          @MainActor in
          let presenter = Presenter()
          let host = AsyncHost(data: AsyncData<Int>(), request: { _, _ in })
          host.presenter = presenter
          host.start()
          host.data.value = 1
          let other = AsyncHost(data: AsyncData<Int>(), request: { _, _ in }, children: { _ in [] })
          other.start()
          other.data.value = 1
          withExtendedLifetime(presenter) {}
        }
        #expect(count(in: result.outputText) == 0)
      }
    }
  }
#endif
