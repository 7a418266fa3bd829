// SPDX-License-Identifier: MIT
/// The way in which a host's data is requested.
@usableFromInline
enum HostSource<Value> {
  case resource(AsyncResource<Value>)
  case closure((AsyncData<Value>, LoadMode) -> Void)

  func request(
    _ data: AsyncData<Value>, _ verb: RequestVerb, isolation: isolated any Actor
  ) -> LoadTask<Value> {
    switch self {
    case .resource(let resource):
      return resource.request(verb, isolation: isolation)
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
    if case .resource(let resource) = self { resource.currentLoad } else { data.currentLoad }
  }
}
