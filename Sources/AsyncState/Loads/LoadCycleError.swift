// SPDX-License-Identifier: MIT
// The data that an operation belongs to, for operations that await each other.

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

  /// The wait of a caller for this data, if the caller is the operation of other data; nil outside of operations.
  var nestedWait: NestedWait? {
    guard let waiting = RunningOperation.waitingPlace else { return nil }
    return wait(at: waiting)
  }

  func wait(at place: LoadPlace) -> NestedWait {
    NestedWait(place: place, target: self.place, label: keeper?.label ?? "\(Value.self)")
  }
}
