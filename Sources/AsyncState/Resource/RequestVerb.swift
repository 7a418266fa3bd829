// SPDX-License-Identifier: MIT
/// A verb that requests a value without waiting for it.
enum RequestVerb {
  /// Shares a running request.
  case start(when: LoadCondition)
  /// Takes the place of a running request, and keeps the content.
  case refresh
  /// Takes the place of a running request, and hides the content.
  case reload

  var mode: LoadMode {
    switch self {
    case .start, .refresh: .refresh
    case .reload: .reload
    }
  }
}

extension AsyncResource {
  func request(_ verb: RequestVerb, isolation: isolated any Actor) -> LoadTask<Value> {
    switch verb {
    case .start(let condition): start(when: condition, isolation: isolation)
    case .refresh: refresh(isolation: isolation)
    case .reload: reload(isolation: isolation)
    }
  }
}
