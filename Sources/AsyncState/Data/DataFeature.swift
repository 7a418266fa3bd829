// SPDX-License-Identifier: MIT
// Features that only few data have stand beside the common part: each is an object of its own, in a folder of its own. The core
// of data knows the protocols in this file, and no feature by its name.
//
// The law of the order. An event has four phases:
//
// 1. Before: `perform`, and the calls of a `StoredSource`. User code may be called, and may change the data.
// 2. The event: `take`. No user code, and the data must not be touched, not even read: debug builds check it, because the core
//    is being changed. A feature receives the event and the record, changes itself, and passes the parts that it has lost to
//    the step. So no feature sees another here, and their order is free. Lost parts are in the step and not in the feature,
//    because several data may take their events before the first of them is delivered.
// 3. Consistent: lost parts are finished, then `didBecomeConsistent` is called, in the order of `FeaturePlace`. Further events
//    may happen, and are delivered after this one.
// 4. Notified: `didNotify`, in the same order, when all observers have been notified of all events. Further events may happen.

/// A feature that only few data have. The data holds it.
protocol DataFeature: AnyObject {
  var place: FeaturePlace { get }

  /// Called for one of the verbs of data.
  ///
  /// - Returns: True if the feature has done it in the place of the data.
  func perform(_ verb: DataVerb) -> Bool

  /// Takes an event, which changes the data.
  func take(_ event: DataEvent, _ ends: DataEnds, of request: LoadRun?, _ record: DataRecord, in step: inout DataStep)

  /// Called when everything is consistent, before any observer is notified. Of the user's code only what computes, as a key or
  /// tags, may be called.
  func didBecomeConsistent()

  /// Called when all observers have been notified of all changes. May call the user's code.
  func didNotify()

  /// True if work is left that could change the data.
  var isBusy: Bool { get }

  /// True if a request follows by itself.
  var isRequestComing: Bool { get }

  /// True if it follows a key, and there is none.
  var lacksKey: Bool { get }

  /// True if the value is stale, and false if it is fresh, at any age; nil: its age decides.
  var isStale: Bool? { get }

  /// The source of a value before it is requested; nil: there is none.
  var source: (any StoredSource)? { get }
}

extension DataFeature {
  func perform(_ verb: DataVerb) -> Bool { false }
  func take(_ event: DataEvent, _ ends: DataEnds, of request: LoadRun?, _ record: DataRecord, in step: inout DataStep) {
  }
  func didBecomeConsistent() {}
  func didNotify() {}
  var isBusy: Bool { false }
  var isRequestComing: Bool { false }
  var lacksKey: Bool { false }
  var isStale: Bool? { nil }
  var source: (any StoredSource)? { nil }
}

/// The places of the features, in the order in which they are called.
///
/// - `parts` first: it carries out a verb in the place of the data.
/// - `journal` before `family`, which may make further changes while the data becomes consistent: the entry of the first change
///   is complete then.
/// - `family` before `live`, which then reads whether the data is in use.
/// - `pages` last: a request by another feature is first, and a page waits for it.
enum FeaturePlace: UInt16, CaseIterable {
  /// The resources that the data is a combination of.
  case parts
  /// The delay of a followed key.
  case key
  case journal
  case family
  /// The board of a resource that belongs to no family.
  case board
  /// The streams of a live value.
  case live
  /// The changes that are displayed before they are confirmed.
  case changes
  /// The resources that the value is made of.
  case madeOf
  /// The rows of pages that lists display, and the pages that they want.
  case pages

  fileprivate var bit: UInt16 { 1 << rawValue }
}

enum DataVerb {
  case cancel
  /// The same, for data that has no request.
  case cancelRest
  case reset
  case forget
  case invalidate
}

/// A part that a feature has lost by an event. It is held until everything is delivered, because it may be the user's.
protocol LostPart: AnyObject {
  /// Ends the part, when the data is consistent.
  func finish()
}

/// Data that may not contain a change, without the type of its value.
protocol DoubtedPart: AnyObject {
  /// Marks it, as a change that was made to it in doubt does.
  func doubt(in round: EarlyRound)
}

/// The features of data, in order.
struct DataFeatures {
  private var list: [any DataFeature] = []
  /// The places that are taken, a bit each.
  private var places: UInt16 = 0

  var isEmpty: Bool { places == 0 }

  /// Adds a feature, in the place of a previous one.
  mutating func set(_ feature: any DataFeature) {
    let place = feature.place
    let index = index(of: place)
    if places & place.bit != 0 { list[index] = feature } else { list.insert(feature, at: index) }
    places |= place.bit
  }

  /// The feature at a place, by its type.
  ///
  // Justified: a place has features of one type, and the caller is in the file of that type. A checked cast looks up
  // generic metadata at each use. Noticed: every test, because debug builds check the cast.
  @inline(__always)
  func feature<Feature: DataFeature>(at place: FeaturePlace, as type: Feature.Type = Feature.self) -> Feature? {
    guard places & place.bit != 0 else { return nil }
    return unsafe unsafeDowncast(list[index(of: place)], to: type)
  }

  /// The number of features before this place.
  private func index(of place: FeaturePlace) -> Int { (places & (place.bit - 1)).nonzeroBitCount }

  /// - Returns: True if a feature has done it in the place of the data. Those after it are not called.
  func perform(_ verb: DataVerb) -> Bool { list.contains { $0.perform(verb) } }

  func take(
    _ event: DataEvent, _ ends: DataEnds, of request: LoadRun?, _ record: DataRecord, in step: inout DataStep
  ) {
    for feature in list { feature.take(event, ends, of: request, record, in: &step) }
  }

  func didBecomeConsistent() { for feature in list { feature.didBecomeConsistent() } }

  func didNotify() { for feature in list { feature.didNotify() } }

  var isBusy: Bool { list.contains { $0.isBusy } }

  var isRequestComing: Bool { list.contains { $0.isRequestComing } }

  var lacksKey: Bool { list.contains { $0.lacksKey } }

  /// Decided by the first feature that has an answer.
  var isStale: Bool? {
    for feature in list { if let isStale = feature.isStale { return isStale } }
    return nil
  }

  var source: (any StoredSource)? {
    for feature in list { if let source = feature.source { return source } }
    return nil
  }
}
