// SPDX-License-Identifier: MIT
import AsyncStateTesting

@testable import AsyncState

/// A screen of an app with accounts, without the type of its value.
@ModelActor
struct AccountScreen {
  var name = ""
  var start: () -> Void = {}
  var refresh: () -> Void = {}
  var reload: () -> Void = {}
  var cancel: () -> Void = {}
  /// Changes the value at once, by what a person has typed.
  var change: (String) -> Void = { _ in }
  var receive: (String) -> Void = { _ in }
  var settled: () async -> Void = {}
  /// The value, the error, and what is displayed of them.
  var texts: () -> [String] = { [] }

  init() {}

  /// A screen that displays a resource.
  init<Value>(
    _ name: String, _ resource: AsyncResource<Value>, _ pacer: DisplayPacer?, texts: @escaping (Value) -> [String]
  ) {
    let host = AsyncHost(resource, pacer: pacer, children: { _ in [] })
    host.appear(animated: false)
    self.name = name
    start = { host.start(when: .stale, isolation: ModelActor.shared) }
    refresh = { host.refresh(isolation: ModelActor.shared) }
    reload = { host.reload(isolation: ModelActor.shared) }
    cancel = { resource.cancel() }
    settled = { await resource.settled(isolation: ModelActor.shared) }
    self.texts = {
      var all = resource.value.map(texts) ?? []
      if let error = resource.error { all.append("\(error)") }
      switch host.container.currentState {
      case .data(let value): all += texts(value)
      case .error(let error): all.append("\(error)")
      case .loading, .noData, .idle, .waiting: break
      }
      return all
    }
  }

  /// The same, on which the value can be changed.
  func changing<Value: Sendable>(
    _ resource: AsyncResource<Value>, of server: AccountServer, by change: @escaping (inout Value, String) -> Void,
    push: @escaping (String) -> Value
  ) -> AccountScreen {
    var screen = self
    screen.change = { input in
      ModelActor.task {
        await resource.mutate(isolation: ModelActor.shared) {
          change(&$0, input)
        } commit: {
          try await server.send(input)
        }
      }
    }
    screen.receive = { resource.receive(push($0)) }
    return screen
  }
}
