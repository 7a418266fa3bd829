// SPDX-License-Identifier: MIT
import AsyncStateTesting

extension ManualServer {
  /// Answers a call when it has arrived.
  func answer(arriving call: Int, with answer: Result<Value, any Error>) async {
    await arrived(call)
    self.answer(call: call, with: answer)
  }

  /// Answers a call with this argument when it has arrived.
  func answer(arrivingFor argument: some Equatable & Sendable, with answer: Result<Value, any Error>) async {
    await arrived(for: argument)
    self.answer(for: argument, with: answer)
  }
}
