// SPDX-License-Identifier: MIT
// Which data an operation belongs to, where operations await each other.

extension AsyncData {
  /// Stands for the data where operations await each other.
  var place: LoadPlace {
    if let place = features.feature(at: .cycle, as: LoadPlace.self) { return place }
    let place = LoadPlace()
    state.core.features.set(place)
    return place
  }

  /// The operation of a call begins; nil where no other call can await it, because it has no name.
  @usableFromInline
  func operation(of call: LoadCall) -> RunningOperation? { call.id == nil ? nil : place.begin() }

  /// The wait of a caller for this data, if that is the operation of other data; nil outside of operations.
  var nestedWait: NestedWait? {
    guard let waiting = RunningOperation.waitingPlace else { return nil }
    return wait(at: waiting)
  }

  func wait(at place: LoadPlace) -> NestedWait {
    NestedWait(place: place, target: self.place, label: keeper?.label ?? "\(Value.self)")
  }
}
