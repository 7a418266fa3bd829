// SPDX-License-Identifier: MIT
@testable import AsyncState
import Testing

extension AllTests {
  /// The whole projection: every combination of data and policy, against the table written out again.
  struct DetermineStateTests {
    struct Case: CustomStringConvertible {
      var mode: LoadMode?
      var isWaiting: Bool
      var value: [Int]?
      var isValueSet: Bool
      var hasError: Bool
      var failedMode: LoadMode
      var isUnanswered: Bool
      var errors: ErrorDisplay
      var idle: IdleDisplay
      var emptyIsNoData: Bool

      private static var unanswered: AsyncSnapshot<[Int]> {
        var snapshot = AsyncSnapshot<[Int]>(activity: LoadActivity())
        snapshot.activity = nil
        return snapshot
      }

      var snapshot: AsyncSnapshot<[Int]> {
        let isIdle = value == nil && !isValueSet && !hasError && mode == nil
        return isIdle && isUnanswered
          ? Self.unanswered
          : AsyncSnapshot(
            value: value, error: hasError ? Failure() : nil,
            activity: mode.map { LoadActivity(mode: $0, isWaiting: isWaiting) },
            isValueSet: isValueSet, failedMode: failedMode)
      }
      var policy: DisplayPolicy<[Int]> {
        emptyIsNoData
          ? .emptyIsNoData(errors: errors, idle: idle)
          : DisplayPolicy(errors: errors, idle: idle)
      }
      var errorReplacesContent: Bool { errors == .always || (errors == .afterReload && failedMode == .reload) }
      var hasContent: Bool { value != nil && !(emptyIsNoData && value!.isEmpty) }

      var expected: AsyncStatusKind {
        let rows: [(Bool, AsyncStatusKind)] = [
          (mode == .reload && !isWaiting, .loading),
          (mode != nil && hasContent, .data),
          (mode != nil && isValueSet && !hasError, .noData),
          (mode != nil && isWaiting, .waiting),
          (mode != nil, .loading),
          (hasError && hasContent && !errorReplacesContent, .data),
          (hasError, .error),
          (hasContent, .data),
          (isValueSet, .noData),
          (isUnanswered && value == nil, .idle),
          (true, idle == .loading ? .loading : .idle),
        ]
        return rows.first { $0.0 }!.1
      }

      var description: String {
        "\(SnapshotParts(snapshot)) errors \(errors) of a \(failedMode), waiting \(isWaiting), unanswered \(isUnanswered), idle \(idle), empty \(emptyIsNoData)"
      }
    }

    static let all: [Case] = {
      var all = [
        Case(
          mode: nil, isWaiting: false, value: nil, isValueSet: false, hasError: false, failedMode: .reload,
          isUnanswered: false, errors: .afterReload, idle: .loading, emptyIsNoData: false)
      ]
      func vary<Field>(_ field: WritableKeyPath<Case, Field>, _ values: [Field]) {
        all = all.flatMap { one in
          values.map { value in
            var one = one
            one[keyPath: field] = value
            return one
          }
        }
      }
      vary(\.mode, [nil, .reload, .refresh])
      vary(\.isWaiting, [false, true])
      vary(\.value, [nil, [], [1]])
      vary(\.isValueSet, [false, true])
      vary(\.hasError, [false, true])
      vary(\.failedMode, [.reload, .refresh])
      vary(\.isUnanswered, [false, true])
      vary(\.errors, [.afterReload, .always, .never])
      vary(\.idle, [.loading, .idle])
      vary(\.emptyIsNoData, [false, true])
      return all
    }()

    @Test("4 the first row of the table that matches decides, for all data and policies")
    func table() {
      expectEqual(Self.all.count, 3_456)
      for one in Self.all {
        let status = determineState(one.snapshot, policy: one.policy)
        expectEqual(status.kind, one.expected, "\(one)")
        if case .data(let value) = status { expectEqual(value, one.value) }
        if case .error(let error) = status { expectEqual(error as? Failure, Failure()) }
      }
    }

    @Test(
      "4 by default a reload's error replaces data, an empty collection is data, and untouched data is loading; any value may be empty"
    )
    func defaults() {
      for one in Self.all where one.errors == .afterReload && one.idle == .loading && !one.emptyIsNoData {
        expectEqual(determineState(one.snapshot).kind, one.expected)
      }
      expectEqual(determineState(AsyncSnapshot(value: [Int]())).kind, .data)
      expectEqual(determineState(AsyncSnapshot(value: [Int]()), policy: .emptyIsNoData()).kind, .noData)
      let failed = AsyncSnapshot(value: [1], error: Failure())
      for policy in [DisplayPolicy<[Int]>(), DisplayPolicy(idle: .idle), .emptyIsNoData()] {
        expectEqual(determineState(failed, policy: policy).kind, .error)
      }
      let zeroIsNoData = DisplayPolicy<Int>(isEmpty: { $0 == 0 })
      expectEqual(determineState(AsyncSnapshot(value: 0), policy: zeroIsNoData).kind, .noData)
      expectEqual(determineState(AsyncSnapshot(value: 1), policy: zeroIsNoData).kind, .data)
    }

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
