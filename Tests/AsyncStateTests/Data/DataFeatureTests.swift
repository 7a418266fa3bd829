// SPDX-License-Identifier: MIT
import Testing

@testable import AsyncState

/// A feature of each place, which writes down when it is called.
private final class RecordingFeature: DataFeature {
  let place: FeaturePlace
  let log: Log
  /// What it does once, when the data is consistent, or when all observers were notified.
  var whenConsistent: (() -> Void)?
  var whenNotified: (() -> Void)?

  private final class Part: LostPart {
    let place: FeaturePlace
    let log: Log

    init(_ place: FeaturePlace, _ log: Log) {
      (self.place, self.log) = (place, log)
    }

    func finish() { log("finish \(place)") }
  }

  init(_ place: FeaturePlace, _ log: Log) {
    (self.place, self.log) = (place, log)
  }

  func perform(_ verb: DataVerb) -> Bool {
    log("\(verb) \(place)")
    return false
  }

  func take(_ event: DataEvent, _ ends: DataEnds, of request: LoadRun?, _ record: DataRecord, in step: inout DataStep) {
    log("take \(place)")
    step.lose(Part(place, log))
  }

  func didBecomeConsistent() {
    log("consistent \(place)")
    whenConsistent.take()?()
  }

  func didNotify() {
    log("notified \(place)")
    whenNotified.take()?()
  }
}

extension AllTests {
  @MainActor
  struct DataFeatureTests {
    private let data = AsyncData<Int>()
    private let log = Log()
    private let features: [RecordingFeature]
    private static let places = FeaturePlace.allCases.map { "\($0)" }

    init() {
      features = FeaturePlace.allCases.map { [log] in RecordingFeature($0, log) }
      // In any order: the list is that of the places.
      for feature in features.reversed() { data.state.core.features.set(feature) }
    }

    private func each(_ word: String) -> [String] { Self.places.map { "\(word) \($0)" } }

    @Test("1.9 an event: before it, at it, when all is consistent, and when all observers were notified")
    func phases() {
      let token = data.observed.observe { [log] _ in log("observer") }
      _ = log.take()
      data.reset()
      let event = each("take") + each("finish") + each("consistent") + ["observer"] + each("notified")
      expectEqual(log.take(), each("reset") + event)
      data.invalidate()
      expectEqual(log.take(), each("invalidate") + event)
      data.cancel()
      expectEqual(log.take(), each("cancel") + each("cancelRest"))
      token.cancel()
    }

    @Test(
      "1.9 an event that a feature makes when all is consistent is delivered after the first, and its parts are its own"
    )
    func nested() {
      let token = data.observed.observe { [log] in log("observer \($0.value ?? 0)") }
      _ = log.take()
      let journal = Int(FeaturePlace.journal.rawValue)
      features[journal].whenConsistent = { [data] in data.value = 2 }
      data.value = 1
      let before = each("consistent").prefix(journal + 1)
      let after = each("consistent").dropFirst(journal + 1)
      let inner = each("take") + each("finish") + each("consistent")
      expectEqual(
        log.take(),
        each("take") + each("finish") + before + inner + after + ["observer 1", "observer 2"] + each("notified"))
      token.cancel()
    }

    @Test("1.9 an event that a feature makes when all were notified has its own phases, and the others follow")
    func afterwards() {
      let family = Int(FeaturePlace.family.rawValue)
      features[family].whenNotified = { [data] in data.value = 2 }
      data.value = 1
      let event = each("take") + each("finish") + each("consistent")
      let notified = each("notified")
      expectEqual(log.take(), event + notified.prefix(family + 1) + event + notified + notified.dropFirst(family + 1))
    }

    @Test("1.9 a feature that is set again takes the place of the former one")
    func replaced() {
      let other = RecordingFeature(.live, Log())
      data.state.core.features.set(other)
      data.value = 1
      expectEqual(other.log.entries.count, 4)
      expect(!log.entries.contains("take live"))
      expect(log.entries.contains("take madeOf"))
    }
  }
}
