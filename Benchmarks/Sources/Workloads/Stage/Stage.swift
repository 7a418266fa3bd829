// SPDX-License-Identifier: MIT
import AsyncState

/// The participants of a screen's change: two children that it swaps, and a delegate.
///
/// All behind protocols, as a container has them.
struct Stage {
  typealias Delegate = any StateContainerDelegate<AsyncStatus<Int>>

  let spinner: any ChildController
  let list: any ChildController
  let delegate: Delegate

  /// A stage on which all only count, which is what they do while time is taken.
  static func counting() -> Stage {
    Stage(spinner: CountingChild(), list: CountingChild(), delegate: CountingDelegate())
  }

  /// A stage on which all record their calls.
  static func recording(in trace: Trace) -> Stage {
    Stage(
      spinner: RecordingChild("spinner", in: trace), list: RecordingChild("list", in: trace),
      delegate: RecordingDelegate(in: trace))
  }

  /// A stage on which only the children record their calls.
  static func recordingChildren(in trace: Trace) -> Stage {
    Stage(
      spinner: RecordingChild("spinner", in: trace), list: RecordingChild("list", in: trace),
      delegate: CountingDelegate())
  }
}
