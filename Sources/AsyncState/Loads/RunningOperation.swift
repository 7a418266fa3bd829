// SPDX-License-Identifier: MIT
import Synchronization

/// The operation of a load, with its interceptors, as long as the load runs.
@usableFromInline
struct RunningOperation: Sendable {
  /// The operation that the current task runs, or was started in.
  @TaskLocal static var current: RunningOperation?

  let place: LoadPlace
  let load: Int

  /// The place of the operation that awaits the present call; nil outside of operations.
  static var waitingPlace: LoadPlace? {
    guard let current, current.place.isRunning(current.load) else { return nil }
    return current.place
  }

  /// Makes a task that runs this operation.
  @usableFromInline
  func begin(_ makeTask: () -> Void) {
    Self.$current.withValue(self, operation: makeTask)
  }

  /// Calls observers, or begins work for several calls, outside of the operation that runs in this task.
  @usableFromInline
  static func outside(_ body: () -> Void) {
    LetIn.none { if current == nil { body() } else { $current.withValue(nil, operation: body) } }
  }
}

/// The data's place among operations that await each other.
final class LoadPlace: DataFeature, Sendable {
  /// The number of the running load. It changes when the load has ended.
  // Justified: written on the data's actor alone. Elsewhere a task reads it to find out whether the load that it is part of
  // still runs, which may end at any moment. Noticed: `LoadCycleTests` (9.13).
  private let number = Atomic(0)

  /// Begins the operation of the running load.
  func begin() -> RunningOperation { RunningOperation(place: self, load: number.load(ordering: .relaxed)) }

  var place: FeaturePlace { .cycle }

  /// Counts the end of requests. Observers of the end are not notified yet, and a request that they begin is no part of a load.
  func take(_ event: DataEvent, _ ends: DataEnds, of request: LoadRun?, _ record: DataRecord, in step: inout DataStep) {
    if case .nothing = ends { return }
    number.wrappingAdd(1, ordering: .relaxed)
  }

  var presentLoad: Int { number.load(ordering: .relaxed) }

  func isRunning(_ load: Int) -> Bool { number.load(ordering: .relaxed) == load }
}

extension AsyncData {
  /// The data's place among operations that await each other.
  var place: LoadPlace {
    if let place = features.feature(at: .cycle, as: LoadPlace.self) { return place }
    let place = LoadPlace()
    state.core.features.set(place)
    return place
  }

  /// Begins the operation of a call; nil if no other call can await it, because it has no name.
  @usableFromInline
  func operation(of call: LoadCall) -> RunningOperation? { call.id == nil ? nil : place.begin() }
}
