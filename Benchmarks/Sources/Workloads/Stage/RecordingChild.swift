// SPDX-License-Identifier: MIT
import AsyncState

/// A child that records its calls.
final class RecordingChild: ChildController {
  let name: String
  private let trace: Trace

  init(_ name: String, in trace: Trace) {
    self.name = name
    self.trace = trace
  }

  func willAttach() { trace.note("\(name) will attach") }
  func didAttach() { trace.note("\(name) did attach") }
  func willDetach() { trace.note("\(name) will detach") }
  func didDetach() { trace.note("\(name) did detach") }
  func willAppear(animated: Bool) { trace.note("\(name) will appear, animated: \(animated)") }
  func didAppear(animated: Bool) { trace.note("\(name) did appear, animated: \(animated)") }
  func willDisappear(animated: Bool) { trace.note("\(name) will disappear, animated: \(animated)") }
  func didDisappear(animated: Bool) { trace.note("\(name) did disappear, animated: \(animated)") }
}
