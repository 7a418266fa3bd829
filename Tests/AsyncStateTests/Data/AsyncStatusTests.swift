// SPDX-License-Identifier: MIT
import AsyncState
import Testing

extension AllTests {
  struct AsyncStatusTests {
    struct Plain: Error { var code: Int }
    final class Object: Error, Sendable {}

    @Test("4 statuses are equal if kind, value and error are")
    func equality() {
      let object = Object()
      let different: [AsyncStatus<Int>] = [
        .loading, .error(Failure()), .error(Failure(name: "other")), .error(Plain(code: 1)), .error(Plain(code: 2)),
        .error(object), .error(Object()), .data(1), .data(2), .noData, .idle, .waiting,
      ]
      for (first, one) in different.enumerated() {
        for (second, other) in different.enumerated() { expectEqual((one == other), (first == second)) }
      }
      expectEqual(AsyncStatus<Int>.error(object), .error(object))
      expectEqual(AsyncStatus<Int>.error(Plain(code: 1)), .error(Plain(code: 1)))
    }

    @Test("4 value and error are those of the case, and map keeps the rest")
    func parts() {
      expectEqual(AsyncStatus.data(1).value, 1)
      expectNil(AsyncStatus<Int>.loading.value)
      expectEqual(AsyncStatus<Int>.error(Failure()).error as? Failure, Failure())
      expectNil(AsyncStatus.data(1).error)
      expectEqual(AsyncStatus.data(1).map { "\($0)" }, .data("1"))
      expectEqual(AsyncStatus<Int>.loading.map { "\($0)" }, .loading)
      expectEqual(AsyncStatus<Int>.error(Failure()).map { "\($0)" }, .error(Failure()))
      for status in [AsyncStatus<Int>.noData, .idle, .waiting] { expectEqual(status.map { "\($0)" }.kind, status.kind) }
    }
  }
}
