// SPDX-License-Identifier: MIT
// What is found by its spelling.

func wait(isolation: isolated (any Actor)? = #isolation) async {
  await withCheckedContinuation(isolation: isolation) { $0.resume() }  // expected: deprecated by Swift 6.4
  await withUnsafeContinuation(isolation: isolation) { $0.resume() }  // expected: deprecated by Swift 6.4
  try? await withCheckedThrowingContinuation(  // expected: deprecated by Swift 6.4
    isolation: isolation
  ) { $0.resume() }
  await withCheckedContinuation { $0.resume() }
  // Not withCheckedContinuation(isolation: isolation), of which a comment may speak.
}

@MainActor
final class Ends {
  private var task: Task<Void, Never>?

  isolated deinit { task?.cancel() }  // expected: needs watchOS 11.4
}

@MainActor
final class EndsAnywhere {
  private var task: Task<Void, Never>?

  deinit { task?.cancel() }
}

func difference(_ old: [Int], _ new: [Int]) -> Bool {
  let limit = old.count * 2
  if old.count * new.count < limit { return true }  // expected: a product of two counts
  return old.count.multipliedReportingOverflow(by: new.count).overflow
}
