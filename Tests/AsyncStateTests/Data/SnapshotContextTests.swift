@testable import AsyncState
import Testing

/// Every row of the table of causes, against every state that a snapshot can be in.
@Suite("2 AsyncData: the table of causes")
struct SnapshotContextTests {
  static let all: [AsyncSnapshot<Int>] = {
    var all: [AsyncSnapshot<Int>] = []
    for (value, isValueSet) in [(nil, false), (1, false), (nil, true), (1, true)] as [(Int?, Bool)] {
      for error in [nil, Failure(name: "old")] as [Failure?] {
        for mode in [nil, .reload, .refresh] as [LoadMode?] {
          for isProvisional in [false, true] {
            for validity in [Validity.valid, .invalidated, .invalidatedDuringLoad] {
              if validity == .invalidatedDuringLoad && mode == nil { continue }
              var snapshot = AsyncSnapshot(
                value: value, error: error, activity: mode.map { LoadActivity(mode: $0, id: "old") },
                isValueSet: isValueSet)
              snapshot.isProvisional = isProvisional
              snapshot.context.validity = validity
              all.append(snapshot)
            }
          }
        }
      }
    }
    return all
  }()

  @Test("2 value = v: the value, and nothing else is left", arguments: [7, nil])
  func setValue(value: Int?) {
    for before in Self.all {
      var after = before
      after.value = value
      after.context.answer()
      #expect(Facts(after) == Facts(value, isValueSet: true))
    }
  }

  @Test("2 error = e: value and validity are kept, and no load runs")
  func setError() {
    for before in Self.all {
      var after = before
      after.context.set(Failure(name: "new"))
      var expected = Facts(before)
      expected.error = "new"
      expected.mode = nil
      #expect(Facts(after) == expected)
    }
  }

  @Test("2 error = nil: only the error is removed")
  func clearError() {
    for before in Self.all {
      var after = before
      after.context.set(nil)
      var expected = Facts(before)
      expected.error = nil
      #expect(Facts(after) == expected)
      #expect(after.context.validity == before.context.validity)
    }
  }

  @Test("2 reset: the seed, and nothing else is left", arguments: [7, nil])
  func reset(seed: Int?) {
    for before in Self.all {
      var after = before
      after.value = seed
      after.context = SnapshotContext(isProvisional: seed != nil)
      #expect(Facts(after) == Facts(seed, isProvisional: seed != nil))
    }
  }

  @Test("2 invalidate: only marked")
  func invalidate() {
    for before in Self.all {
      var after = before
      after.context.invalidate()
      var expected = Facts(before)
      expected.isInvalidated = true
      #expect(Facts(after) == expected)
    }
  }

  @Test(
    "2, 3.7 load starts: a new activity, and all else is kept; a refresh in place of a reload stays one",
    arguments: [LoadMode.reload, .refresh])
  func begin(mode: LoadMode) {
    for before in Self.all {
      var after = before
      after.context.begin(LoadActivity(mode: mode))
      var expected = Facts(before)
      expected.mode = before.activity?.mode == .reload ? .reload : mode
      #expect(Facts(after) == expected)
      #expect(after.activity?.id == nil)
    }
  }

  @Test("2 load yields: a provisional value, and the load is a refresh from here on", arguments: [7, nil])
  func yield(value: Int?) {
    for before in Self.all where before.isRunning {
      var after = before
      after.value = value
      after.context.yield()
      var expected = Facts(value, isValueSet: true, mode: .refresh, isProvisional: true)
      expected.isInvalidated = before.isInvalidated
      #expect(Facts(after) == expected)
      #expect(after.activity?.id == before.activity?.id)
      #expect(after.context.validity == before.context.validity)
    }
  }

  @Test("2 load succeeds: the value; a doubt that is as old as the load is settled", arguments: [7, nil])
  func succeed(value: Int?) {
    for before in Self.all where before.isRunning {
      var after = before
      after.value = value
      after.context.succeed()
      #expect(
        Facts(after) == Facts(value, isValueSet: true, isInvalidated: before.context.validity == .invalidatedDuringLoad)
      )
    }
  }

  @Test("2 load fails: the error, and all else is kept but the activity")
  func fail() {
    for before in Self.all where before.isRunning {
      var after = before
      after.context.fail(with: Failure(name: "new"))
      var expected = Facts(before)
      expected.error = "new"
      expected.mode = nil
      #expect(Facts(after) == expected)
    }
  }

  @Test("2 load is cancelled: all is kept but the activity")
  func end() {
    for before in Self.all where before.isRunning {
      var after = before
      after.context.end()
      var expected = Facts(before)
      expected.mode = nil
      #expect(Facts(after) == expected)
      #expect(after.context.validity != .invalidatedDuringLoad)
    }
  }
}
