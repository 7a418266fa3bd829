// SPDX-License-Identifier: MIT
/// A resource outside of a family, as an entry of a board. Its data holds it.
final class BoardResource<Value>: BoardEntry, DataFeature, StoredSource {
  private weak var resource: AsyncResource<Value>?

  init(_ resource: AsyncResource<Value>, on board: AsyncTagBoard) {
    self.resource = resource
    // The resource would be held by its own data.
    super.init(WeakReference(resource), on: board)
    resource.data.state.core.features.set(self)
    wasRequested = !resource.data.context.isUntouched
    beginFollowing()
    board.add(self)
  }

  override var data: (any EntryData)? { resource?.data }
  override var home: (any Actor)? { resource?.actor }
  override var isInUse: Bool { resource != nil }

  override func makeTags(of load: LoadRun?) -> Set<AsyncTag> { tags }

  override func request(superseding former: LoadRun?, isolation: isolated any Actor) -> LoadRun? {
    guard let resource else { return nil }
    var load: LoadRun?
    resource.data.following(.invalidation) {
      load = resource.request(superseding: former, isolation: isolation)
    }
    return load
  }

  // MARK: Events of the data

  var place: FeaturePlace { .board }
  var source: (any StoredSource)? { self }

  func perform(_ verb: DataVerb) -> Bool {
    if case .forget = verb { wasRequested = false }
    return false
  }

  func didBecomeConsistent() { follow() }
  func didNotify() { _ = noteNotified() }

  func willRequest(when condition: LoadCondition) {
    wasRequested = true
    lastUse = board?.uses.next() ?? 0
  }

  func willBegin(_ load: LoadRun) { noteBegin(of: load) }
  func willAnswer(_ load: LoadRun) -> Bool { noteAnswer(of: load) }
  func didAnswer() { noteAnswerWritten() }
  func doubtStored() {}
  func findFresh(for load: LoadRun, isolation: isolated (any Actor)?) async throws {}
}

extension AsyncData {
  /// The entry of this data on a board.
  func boardResource(on board: AsyncTagBoard) -> BoardEntry? {
    guard let entry = features.feature(at: .board, as: BoardResource<Value>.self) else { return nil }
    if entry.board === board { return entry }
    entry.board?.remove(entry)
    return nil
  }
}
