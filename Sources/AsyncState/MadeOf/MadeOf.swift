// SPDX-License-Identifier: MIT
// Data whose value is made of the values of others, its parts, which its resource names.
//
// A load gets all parts first, so it requests them, and fails with their errors; then it makes the value. A change of a part marks
// the data before any observer is notified. That mark marks in turn what is made of this data, in the same round, so the stack
// does not grow with the length of a chain. Then the data is requested again, where it has been requested: in the place of a load
// that has its parts already. Its load finds its own parts marked, and awaits them. So each value is made once, of parts that
// belong together, in the order of the dependencies. Where the parts turn out to be the same nothing is made.
//
// A part that another one has chosen is a part as long as that has not changed. The present value is removed with it until another
// value is there.

/// The parts that the value of data is made of.
final class MadeOf: DataFeature {
  private(set) var parts: [any MadePart] = []
  /// The parts that the present value was made of: it is removed with one that is not chosen any more, too.
  private var former: [any MadePart] = []
  /// True if the first part chooses the second one.
  private var isChoosing = false
  /// True if the first part has changed since it has chosen the second one, which is no part before it is chosen again.
  private var isChoiceOpen = false
  /// What can make the value stale without a change: the parts, and their origins, at any distance. A list, so that the stack does
  /// not grow with the length of a chain.
  private(set) var origins: [any MadePart] = []
  private var phase = Phase.unused
  /// True if the parts are those that the value was made of last, and there is no other reason to make it again.
  private var isMadeOfThese = false
  /// True if the data was marked by a change of a part since it was made. Before that, what is made of it may have accepted it with
  /// a mark that has another reason.
  private var isMarkKnown = false
  /// A request follows when the round that marks everything has ended.
  private var isRequestDue = false
  /// True during an event by which this marks the data, or removes its value.
  private var isChangingData = false
  private weak var maker: (any Maker)?

  private enum Phase {
    /// It was not requested since it was created or reset, or since a value was set by hand.
    case unused
    /// The operation of the running load has yet to get parts.
    case gathering
    /// The operation of the running load has all parts.
    case making
    /// The load has ended.
    case ended
    /// The value was removed with a part, and is requested with the part's next value.
    case lost
  }

  init(_ maker: any Maker) {
    self.maker = maker
  }

  var place: FeaturePlace { .madeOf }
  /// What the value is made of, at any distance: a change that is displayed over it is one of these.
  var sources: [any DoubtedPart] { origins.filter { !$0.isMade } }

  // MARK: Getting the parts

  /// Begins to get the parts, for an attempt of the running load.
  func begin(isChoosing: Bool) {
    phase = .gathering
    self.isChoosing = isChoosing
    for part in parts { part.isGot = false }
  }

  /// Notes that a part is about to be got for a place, so that the choice is made.
  ///
  /// - Returns: The one that was got for it last.
  func choose(at place: Int) -> (any MadePart)? {
    if place > 0 { isChoiceOpen = false }
    return place < parts.count ? parts[place] : nil
  }

  /// Makes a part the one at its place, instead of a previous one.
  func set(_ part: any MadePart, at place: Int) {
    if place < parts.count { parts.removeSubrange(place...) }
    parts.append(part)
    isMadeOfThese = false
  }

  /// True if no part has changed since it was got.
  var hasAll: Bool { chosen.allSatisfy(\.isGot) }

  /// The parts, without what is chosen anew.
  private var chosen: ArraySlice<any MadePart> { parts.dropLast(isChoiceOpen ? 1 : 0) }

  /// Ends getting the parts.
  ///
  /// - Returns: False if the value need not be made again.
  func finish<Value>(_ data: AsyncData<Value>) -> Bool {
    phase = .making
    isMarkKnown = false
    origins = parts.flatMap { $0.origins + [$0] }
    if isMadeOfThese, data.isFreshWithoutMark { return false }
    isMadeOfThese = true
    return true
  }

  /// Notes that the operation ends without all parts. From now on a change of one begins it anew.
  func giveUp() { phase = .making }

  /// Notes a call that wants another value, whatever the parts are.
  func noteCall() { isMadeOfThese = false }

  // MARK: Events of the data

  func take(_ event: DataEvent, _ ends: DataEnds, of request: LoadRun?, _ record: DataRecord, in step: inout DataStep) {
    if request?.edge != nil { return }
    let wasMaking = phase == .making
    switch ends {
    case .nothing:
      if !isChangingData { isMadeOfThese = false }
      // The next attempt gets the parts again.
      if case .retried = event { phase = .gathering }
      // The parts will have the change, and what is made of them must not get it once more: a change of one begins the load anew.
      if case .patchConfirmed = event, phase == .gathering { giveUp() }
    case .request(let ending):
      phase = .ended
      switch ending {
      case .answered, .fresh: setFormer(parts, in: &step)
      case .failed, .ended: isMadeOfThese = false
      }
    case .requests:
      if wasMaking { isMadeOfThese = false }
      if case .began = event { phase = .gathering } else if phase != .unused { phase = .ended }
    case .everything:
      isMadeOfThese = false
      phase = isChangingData ? .lost : .unused
      setFormer([], in: &step)
      guard !isChangingData else { return }
      for part in parts { step.lose(part) }
      (parts, origins, isChoiceOpen) = ([], [], false)
    }
  }

  /// Notes what the present value is made of.
  private func setFormer(_ next: [any MadePart], in step: inout DataStep) {
    for part in former where !parts.contains(where: { $0 === part }) { step.lose(part) }
    former = next
  }

  // MARK: Changes of the parts

  func partDidChange<Value>(_ part: any MadePart, of data: AsyncData<Value>, in round: EarlyRound) {
    let wasGot = part.isGot
    let change = part.noteChange()
    guard phase != .unused else { return }
    guard chosen.contains(where: { $0 === part }) else {
      switch change {
      case .changed: isMadeOfThese = false
      case .removed where former.contains(where: { $0 === part }):
        lose(part, data, in: round)
        request(data, in: round)
      case .none, .confirmed, .marked, .removed, .left, .failed: break
      }
      return
    }
    if isChoosing, wasGot, !part.isGot, part !== parts.last {
      // What it has chosen ends with it, and so does a load that awaits that.
      isChoiceOpen = true
      if phase == .gathering { giveUp() }
    }
    switch change {
    case .none: if phase == .lost { followLost(data, in: round) }
    case .confirmed: request(data, in: round)
    case .marked: follow(data, in: round)
    case .changed:
      isMadeOfThese = false
      follow(data, in: round)
    case .removed: lose(part, data, in: round)
    case .left:
      guard data.context.isValueSet else { return follow(data, in: round) }
      data.changing(in: round) {
        data.keeper?.removeLost()
        isChangingData = true
        data.changeKey(hasKey: true, previous: .untilAnswered) { isChangingData = false }
      }
    case .failed(let error):
      guard data.state.core.record.isOfFormerKey else { return }
      data.changing(in: round) { data.applyError(.errorSet(error)) }
    }
  }

  /// Follows a part that has another value, or is out of date.
  private func follow<Value>(_ data: AsyncData<Value>, in round: EarlyRound) {
    let former = data.context.validity
    if former == .valid || !isMarkKnown, data.context.isSettled || data.hasRunningLoad {
      data.changing(in: round) { mark(data) }
    }
    isMarkKnown = true
    guard phase == .gathering, data.hasRunningLoad else {
      data.state.core.compareInvalidation(withLoad: .newer)
      return request(data, in: round)
    }
    // The running load will get the part up to date: for what displays the value, even if the call that has begun it leaves. A
    // mark with another reason stays.
    if former != .invalidatedDuringLoad { data.state.core.compareInvalidation(withLoad: .older) }
    if data.context.isSettled, data.isHeld, let load = data.state.core.order.whole {
      data.changing(in: round) { _ = load.joinIfWanted(isPinned: true) }
    }
  }

  /// Removes the value together with that of a part.
  private func lose<Value>(_ part: any MadePart, _ data: AsyncData<Value>, in round: EarlyRound) {
    data.changing(in: round) {
      // First, because a value that is stored after this change stays.
      data.keeper?.removeLost()
      let removal = part.removal
      if let verb = removal.verb { _ = data.features.perform(verb) }
      data.removeAll(removal.event) { isChangingData = $0 }
    }
  }

  /// Requests a value that was removed with a part, as soon as the parts are requested. It is displayed as loading until then.
  private func followLost<Value>(_ data: AsyncData<Value>, in round: EarlyRound) {
    guard chosen.contains(where: \.isForgotten) else { return request(data, in: round) }
    // Otherwise the request of the part was cancelled.
    guard data.context.awaitsRequest, !chosen.contains(where: \.isRequestExpected) else { return }
    data.changing(in: round) { data.apply(.cancelledAll) }
  }

  private func mark<Value>(_ data: AsyncData<Value>) {
    if data.refusesWrites { return }
    isChangingData = true
    let step = data.begin(.invalidated)
    isChangingData = false
    data.deliver(step)
  }

  /// Requests the value again, once for all changes of a round, unless a part has no value and is not being requested.
  private func request<Value>(_ data: AsyncData<Value>, in round: EarlyRound) {
    guard !isRequestDue else { return }
    isRequestDue = true
    round.deliver { [weak self, weak data] in
      guard let self, let data else { return }
      isRequestDue = false
      let isUpToDate = data.hasRunningLoad ? phase == .gathering || hasAll : !data.isBehind
      guard phase != .unused, !isUpToDate, !chosen.contains(where: { $0.isForgotten || $0.isRequestExpected })
      else { return }
      // An operation may have changed the part; this is no part of it.
      RunningOperation.outside {
        data.changing(in: round) {
          guard data.keeper?.requestAgain(afterLoss: phase == .lost) != true else { return }
          data.following(.invalidation) { maker?.makeAgain() }
        }
      }
    }
  }
}

/// A resource that is made of others.
protocol Maker: AnyObject {
  /// Requests the value again, in the place of a running load.
  func makeAgain()
}

/// A resource that another one is made of, and what was last seen of it.
protocol MadePart: LostPart, DoubtedPart {
  /// True if the running operation has got it, and it has not changed since.
  var isGot: Bool { get set }

  /// The difference from what was last seen.
  func noteChange() -> DataChange

  /// The way in which its value was removed, which is the one in which what is made of it is removed: forgotten, reset, or because
  /// it is being requested for another key, or will be.
  var removal: (event: DataEvent, verb: DataVerb?) { get }

  /// True if its value is stale by itself.
  var isOutOfDate: Bool { get }

  /// Observation tracks that what is made of it was read as fresh or stale.
  func noteReadOfFreshness()

  /// What can make its value stale without a change of it, but for itself.
  var origins: [any MadePart] { get }

  /// True if it is made of others itself.
  var isMade: Bool { get }

  /// True if its value may be stale by itself while that of what is made of it is not.
  var isOrigin: Bool { get }

  /// True if it was removed, and has neither a value nor an error since, and is not being requested.
  var isForgotten: Bool { get }

  /// True if it will be requested for another key by itself.
  var isRequestExpected: Bool { get }
}

extension AsyncData {
  /// What the value is made of; nil if it is not made of others.
  var madeOf: MadeOf? { features.feature(at: .madeOf) }

  /// True if there is another reason to request again than the age.
  fileprivate var isBehind: Bool { state.core.record.timeOfGoodAnswer == nil }
}
