import AsyncState
import Testing

/// The whole projection: every combination of facts and policy, against the table written out again.
@Suite("4 determineState")
struct DetermineStateTests {
  struct Case: CustomStringConvertible {
    var isViewLoaded: Bool
    var mode: LoadMode?
    var value: [Int]?
    var isValueSet: Bool
    var hasError: Bool
    var errorReplacesData: Bool
    var idle: IdleDisplay
    var emptyIsNoData: Bool

    var snapshot: AsyncSnapshot<[Int]> {
      AsyncSnapshot(
        value: value, error: hasError ? Failure() : nil, activity: mode.map { LoadActivity(mode: $0) },
        isValueSet: isValueSet)
    }
    var policy: DisplayPolicy<[Int]> {
      emptyIsNoData
        ? .emptyIsNoData(errorReplacesData: errorReplacesData, idle: idle)
        : DisplayPolicy(errorReplacesData: errorReplacesData, idle: idle)
    }
    var hasContent: Bool { value != nil && !(emptyIsNoData && value!.isEmpty) }

    var expected: AsyncStatus<[Int]>.Kind {
      let rows: [(Bool, AsyncStatus<[Int]>.Kind)] = [
        (!isViewLoaded, .loading),
        (mode == .reload, .loading),
        (mode == .refresh && hasContent, .data),
        (mode == .refresh && isValueSet && !hasError, .noData),
        (mode == .refresh, .loading),
        (hasError && hasContent && !errorReplacesData, .data),
        (hasError, .error),
        (hasContent, .data),
        (isValueSet, .noData),
        (true, idle == .loading ? .loading : .noData),
      ]
      return rows.first { $0.0 }!.1
    }

    var description: String {
      "\(Facts(snapshot)) loaded \(isViewLoaded), replaces \(errorReplacesData), idle \(idle), empty \(emptyIsNoData)"
    }
  }

  static let all: [Case] = {
    var all: [Case] = []
    for isViewLoaded in [false, true] {
      for mode in [nil, .reload, .refresh] as [LoadMode?] {
        for value in [nil, [], [1]] as [[Int]?] {
          for isValueSet in [false, true] {
            for hasError in [false, true] {
              for errorReplacesData in [false, true] {
                for idle in [IdleDisplay.loading, .noData] {
                  for emptyIsNoData in [false, true] {
                    all.append(
                      Case(
                        isViewLoaded: isViewLoaded, mode: mode, value: value, isValueSet: isValueSet,
                        hasError: hasError,
                        errorReplacesData: errorReplacesData, idle: idle, emptyIsNoData: emptyIsNoData))
                  }
                }
              }
            }
          }
        }
      }
    }
    return all
  }()

  @Test("4 the first row of the table that matches decides, for all facts and policies")
  func table() {
    #expect(Self.all.count == 576)
    for one in Self.all {
      let status = determineState(one.snapshot, isViewLoaded: one.isViewLoaded, policy: one.policy)
      #expect(status.kind == one.expected, "\(one)")
      if case .data(let value) = status { #expect(value == one.value) }
      if case .error(let error) = status { #expect(error as? Failure == Failure()) }
    }
  }

  @Test("4 by default an error replaces data, an empty collection is data, and idle is loading")
  func defaults() {
    for one in Self.all where one.errorReplacesData && one.idle == .loading && !one.emptyIsNoData {
      #expect(determineState(one.snapshot, isViewLoaded: one.isViewLoaded).kind == one.expected)
    }
    #expect(determineState(AsyncSnapshot(value: [Int]())).kind == .data)
    #expect(determineState(AsyncSnapshot(value: [Int]()), policy: .emptyIsNoData()).kind == .noData)
    let failed = AsyncSnapshot(value: [1], error: Failure())
    for policy in [DisplayPolicy<[Int]>(), DisplayPolicy(idle: .noData), .emptyIsNoData()] {
      #expect(determineState(failed, policy: policy).kind == .error)
    }
  }

  @Test("4 what is empty may be said of any value")
  func ownEmptiness() {
    let policy = DisplayPolicy<Int>(isEmpty: { $0 == 0 })
    #expect(determineState(AsyncSnapshot(value: 0), policy: policy).kind == .noData)
    #expect(determineState(AsyncSnapshot(value: 1), policy: policy).kind == .data)
  }
}
