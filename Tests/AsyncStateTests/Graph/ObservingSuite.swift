// SPDX-License-Identifier: MIT
import AsyncState

/// A suite of tests that write down what observers are called with.
protocol ObservingSuite {
  var log: Log { get }
}

extension ObservingSuite {
  /// Observes for as long as the token lives, and records the values.
  func observe<Value>(_ observed: Observed<Value>, _ name: String = "") -> ObservedToken {
    observed.observe { [log] in log("\(name)\($0)") }
  }
}
