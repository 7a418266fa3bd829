// SPDX-License-Identifier: MIT
/// The way in which a host's data is requested.
@usableFromInline
enum HostSource<Value> {
  case resource(AsyncResource<Value>)
  case closure((AsyncData<Value>, LoadMode) -> Void)
  case combination(Combination<Value>)

  func request(
    _ data: AsyncData<Value>, _ verb: RequestVerb, isolation: isolated any Actor
  ) -> LoadTask<Value> {
    switch self {
    case .resource(let resource):
      return resource.request(verb, isolation: isolation)
    case .combination(let combination):
      return combination.request(verb, isolation: isolation)
    case .closure(let request):
      if case .start(let condition) = verb, !data.meets(condition) {
        return LoadTask(endedWith: .fresh, answer: data.valueOfKey)
      }
      request(data, verb.mode)
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
