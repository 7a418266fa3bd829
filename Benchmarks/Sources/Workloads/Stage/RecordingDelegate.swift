// SPDX-License-Identifier: MIT
import AsyncState

/// A delegate that records its calls.
final class RecordingDelegate: StateContainerDelegate {
  typealias State = AsyncStatus<Int>
  typealias Container = StateContainer<State>

  private let trace: Trace

  init(in trace: Trace) {
    self.trace = trace
  }

  func container(_: Container, willTransitionTo next: State, animated: Bool) {
    trace.note("will transition to \(next), animated: \(animated)")
  }

  func container(_: Container, didTransitionFrom former: State?, animated: Bool) {
    trace.note("did transition from \(former.map { "\($0)" } ?? "nothing"), animated: \(animated)")
  }

  func container(_: Container, childWillAppear child: any ChildController, animated: Bool) {
    trace.note("notified that \(name(child)) will appear, animated: \(animated)")
  }

  func container(_: Container, childDidAppear child: any ChildController, animated: Bool) {
    trace.note("notified that \(name(child)) did appear, animated: \(animated)")
  }

  func container(_: Container, childWillDisappear child: any ChildController, animated: Bool) {
    trace.note("notified that \(name(child)) will disappear, animated: \(animated)")
  }

  func container(_: Container, childDidDisappear child: any ChildController, animated: Bool) {
    trace.note("notified that \(name(child)) did disappear, animated: \(animated)")
  }

  func container(_: Container, didArrange children: [any ChildController]) {
    trace.note("arranged: \(children.map(name).joined(separator: ", "))")
  }

  private func name(_ child: any ChildController) -> String {
    (child as? RecordingChild)?.name ?? "another child"
  }
}
