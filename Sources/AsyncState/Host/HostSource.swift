// SPDX-License-Identifier: MIT
/// The way in which a host's data is requested.
@usableFromInline
enum HostSource<Value> {
  case resource(AsyncResource<Value>)
  case closure((AsyncData<Value>, LoadMode) -> Void)
  case combination(Combination<Value>)

  /// - Parameters:
  ///   - mode: A refresh joins a running request, a reload supersedes it.
  ///   - condition: The condition for the request.
  func request(
    _ data: AsyncData<Value>, _ mode: LoadMode, when condition: LoadCondition = .always, isolation: isolated any Actor
  ) -> LoadTask<Value> {
    switch self {
    case .resource(let resource):
      return resource.request(mode, when: condition, isolation: isolation)
    case .combination(let combination):
      return combination.request(mode, when: condition, isolation: isolation)
    case .closure(let request):
      guard data.meets(condition) else {
        return LoadTask(data.refused(condition, isPinned: true, isolation: isolation).load)
      }
      request(data, mode)
      return data.currentLoad
    }
  }

  /// The present status of the data.
  func status(_ data: AsyncData<Value>, _ policy: DisplayPolicy<Value>) -> AsyncStatus<Value> {
    if case .resource(let resource) = self { resource.status(policy: policy) } else { data.status(policy: policy) }
  }

  /// The handle of the last request, if it runs; otherwise of one that has ended with the present value or error.
  func currentLoad(_ data: AsyncData<Value>) -> LoadTask<Value> {
    if case .combination(let combination) = self { combination.currentLoad } else { data.currentLoad }
  }

  /// Suspends until the data cannot change any more by itself, or the calling task is cancelled.
  func untilSettled(_ data: AsyncData<Value>, isolation: isolated any Actor) async {
    if case .combination(let combination) = self {
      await combination.untilSettled(isolation: isolation)
    } else {
      await data.untilSettled(isolation: isolation)
    }
  }
}

extension AsyncResource {
  /// - Parameter condition: The condition for a refresh; a reload has none.
  func request(_ mode: LoadMode, when condition: LoadCondition, isolation: isolated any Actor) -> LoadTask<Value> {
    switch mode {
    case .refresh: start(when: condition, isolation: isolation)
    case .reload: reload(isolation: isolation)
    }
  }
}
