// SPDX-License-Identifier: MIT
/// How a host's data is requested.
@usableFromInline
enum HostSource<Value> {
  case resource(AsyncResource<Value>)
  case closure((AsyncData<Value>, LoadMode) -> Void)
  case combination(Combination<Value>)

  /// - Parameters:
  ///   - isReplacing: Whether a request that runs is superseded.
  ///   - condition: When to request at all.
  func request(
    _ data: AsyncData<Value>, _ mode: LoadMode, replacing isReplacing: Bool = false,
    when condition: LoadCondition = .always, isolation: isolated any Actor
  ) -> LoadTask<Value> {
    switch self {
    case .resource(let resource):
      return resource.request(mode, replacing: isReplacing, when: condition, isolation: isolation)
    case .combination(let combination):
      return combination.request(mode, replacing: isReplacing, when: condition, isolation: isolation)
    case .closure(let request):
      guard data.meets(condition) else {
        return LoadTask(data.refused(mode, condition, isPinned: true, isolation: isolation).load)
      }
      request(data, mode)
      return data.currentLoad
    }
  }

  /// The status of the data as it is by now.
  func status(_ data: AsyncData<Value>, _ policy: DisplayPolicy<Value>) -> AsyncStatus<Value> {
    if case .resource(let resource) = self { resource.status(policy: policy) } else { data.status(policy: policy) }
  }

  /// The handle of the last request, if it runs; else of one that has ended with what the data holds.
  func currentLoad(_ data: AsyncData<Value>) -> LoadTask<Value> {
    if case .combination(let combination) = self { combination.currentLoad } else { data.currentLoad }
  }

  /// Suspends until nothing is left that could change the data, or the calling task is cancelled.
  func untilSettled(_ data: AsyncData<Value>, isolation: isolated any Actor) async {
    if case .combination(let combination) = self {
      await combination.untilSettled(isolation: isolation)
    } else {
      await data.untilSettled(isolation: isolation)
    }
  }
}

extension AsyncResource {
  /// - Parameter isReplacing: Whether a request that runs is superseded, which a reload does.
  func request(
    _ mode: LoadMode, replacing isReplacing: Bool, when condition: LoadCondition, isolation: isolated any Actor
  ) -> LoadTask<Value> {
    isReplacing ? reload(isolation: isolation) : start(mode, when: condition, isolation: isolation)
  }
}
