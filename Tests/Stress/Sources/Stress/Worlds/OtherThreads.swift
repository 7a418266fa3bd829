// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting

/// What is called on any thread, while the actor whose requests it changes is at work.
@MainActor let otherThreads: [Program] = [("gate", openGates), ("interest", loseInterest)].flatMap { name, body in
  let home = Home()
  let threadHome = ThreadHome()
  return [
    Program("\(name)-main") { while $0.next() { await body(MainActor.shared) } },
    Program("\(name)-actor") { budget in while budget.next() { await body(home) } },
    Program("\(name)-executor") { budget in while budget.next() { await body(threadHome) } },
  ]
}

/// A gate that is opened and closed elsewhere while requests begin to wait for it, and others take their place.
private func openGates(_ home: isolated any Actor) async {
  let gate = LoadGate(isOpen: false)
  let data = (0..<10).map { _ in AsyncData<Int>(options: LoadOptions(gate: gate)) }
  let threads = (0..<3).map { _ in
    Task.detached {
      for _ in 0..<100 {
        gate.open()
        gate.close()
      }
    }
  }
  var loads: [LoadTask<Int>] = []
  for number in 0..<100 {
    loads.append(data[number % data.count].start(isolation: home) { number })
    if number % 10 == 0 { await turn(of: home) }
  }
  for thread in threads { await thread.value }
  await Task.detached { gate.open() }.value
  for load in loads {
    switch await load.outcome(isolation: home) {
    case .success, .superseded: break
    case .failure, .cancelled, .notRequested: fail("a load that was to wait has ended otherwise")
    }
  }
  expect(data.map(\.value) == (90..<100).map { $0 }, "\(data.map(\.value))")
}

/// Calls of one request that are cancelled elsewhere while others join, and while another request takes its place. Those
/// that stay have an answer.
private func loseInterest(_ home: isolated any Actor) async {
  let gate = ManualServer<Int>()
  let resource = AsyncResource<Int>(isolation: home) { .value { try await gate.wait() } }
  let shared = AsyncResource<Int>(isolation: home) { .value { try await gate.wait() } }
  var staying: [Task<AsyncOutcome<Int?>, Never>] = []
  for number in 0..<60 {
    let call = Task {
      _ = home
      return switch number % 3 {
      case 0: await resource.load(isolation: home)
      case 1: await shared.load(isolation: home)
      // It takes the place of the first one, whose calls follow it.
      default: await resource.data.load(isolation: home) { try await gate.wait() }
      }
    }
    if number % 5 == 0, number % 3 < 2 { staying.append(call) } else { Task.detached { call.cancel() } }
    if number % 7 == 0 { await turn(of: home) }
  }
  for call in 1...200 { gate.answer(call: call, with: .success(call)) }
  for call in staying {
    let outcome = await call.value
    guard case .success = outcome else { fail("a call that has stayed ended as \(outcome)") }
  }
}
