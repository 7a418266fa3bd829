// SPDX-License-Identifier: MIT
import Observation

/// One stored property of a plain class, that is read where nothing is tracked and changes.
final class UntrackedProperty: WritingWork {
  @Observable
  final class Model {
    var value: Int?
  }

  var turn = 0
  private let model = Model()
  private let tally = Tally()

  func write(_ value: Int) {
    tally.add(model.value ?? 0)
    model.value = value
  }
}
