// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting

/// What is called on any thread, while the actor that it belongs to is at work.
@MainActor var otherThreads: [Program] {
  everywhere("gate", openGates) + everywhere("interest", loseInterest)
    + everywhere("cancelled-token", cancelTokensElsewhere)
    + [Program("awaiting-actors") { while $0.next() { await awaitAcrossActors() } }]
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

/// Tokens that several threads cancel and release at once, while their values change.
private func cancelTokensElsewhere(_ home: isolated any Actor) async {
  let census = Census()
  let input = Input(0)
  let sum = input.zip(input.map { $0 / 3 }).map { $0.0 + $0.1 }
  var tokens: [ObservedToken] = []
  for _ in 0..<ownersOfARound {
    let life = census.life("observer")
    tokens.append(
      sum.observe { _ in
        home.preconditionIsolated()
        _ = life
      })
  }
  for _ in 0..<3 {
    Task.detached { [tokens] in for token in tokens.shuffled() { token.cancel() } }
  }
  tokens = []
  var number = 0
  while number < 60 || (census.count("observer") > 0 && number < 1_000_000) {
    number += 1
    input.write(number)
  }
  await census.isEmpty()
}

/// Families of two actors whose operations await each other's keys.
private func awaitAcrossActors() async {
  let (first, second) = (CountingActor(), CountingActor())
  await first.connect(second)
  await second.connect(first)
  await withTaskGroup(of: Void.self) { group in
    for key in 0..<20 {
      group.addTask { await first.load(key) }
      group.addTask { await second.load(key) }
    }
  }
  await first.end()
  await second.end()
}

private actor CountingActor {
  private weak var other: CountingActor?
  private var family: AsyncFamily<Int, Int>?

  func connect(_ other: CountingActor) {
    self.other = other
    family = AsyncFamily(isolation: self) { [weak self] key in .value { try await self?.answer(key) } }
  }

  func end() { family = nil }

  private func answer(_ key: Int) async throws -> Int? {
    guard key > 0 else { return 0 }
    await other?.load(key - 1)
    return key
  }

  func load(_ key: Int) async {
    // Held until it has ended.
    let resource = family?[key]
    await resource?.load(when: .stale)
  }
}
