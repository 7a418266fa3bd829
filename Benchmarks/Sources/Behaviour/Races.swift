// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import OpenCombine

/// A screen that requests an answer for each text, and displays one of them.
@MainActor
protocol SearchScreen: AnyObject {
  init(server: Server)
  func search(_ text: Int)
  var displayed: Int? { get }
}

/// Answers each request after a time of its own, also one that was cancelled: the request has been sent.
@MainActor
final class Server {
  private let clock: ManualClock
  private let latencies: [Duration]

  init(clock: ManualClock, latencies: [Duration]) {
    (self.clock, self.latencies) = (clock, latencies)
  }

  func answer(to text: Int) async -> Int {
    let (clock, latency) = (clock, latencies[text])
    // A task of its own, which is not cancelled with the caller.
    return await Task { @MainActor in
      try? await clock.sleep(for: latency)
      return text
    }.value
  }

  func publisher(for text: Int) -> Future<Int, Never> {
    Future { [self] promise in
      // Justified: the publisher stays on the main actor. Noticed: the table.
      nonisolated(unsafe) let promise = promise
      Task { @MainActor in promise(.success(await answer(to: text))) }
    }
  }
}

/// A task for each request.
final class TaskScreen: SearchScreen {
  let server: Server
  private(set) var displayed: Int?
  init(server: Server) { self.server = server }
  func search(_ text: Int) { Task { displayed = await server.answer(to: text) } }
}

/// The same, and the former task is cancelled, as most apps have it.
final class CancellingScreen: SearchScreen {
  let server: Server
  private(set) var displayed: Int?
  private var task: Task<Void, Never>?
  init(server: Server) { self.server = server }

  func search(_ text: Int) {
    task?.cancel()
    task = Task { displayed = await server.answer(to: text) }
  }
}

/// The same, and the task looks whether it was cancelled before it displays.
final class CheckingScreen: SearchScreen {
  let server: Server
  private(set) var displayed: Int?
  private var task: Task<Void, Never>?
  init(server: Server) { self.server = server }

  func search(_ text: Int) {
    task?.cancel()
    task = Task {
      let answer = await server.answer(to: text)
      if !Task.isCancelled { displayed = answer }
    }
  }
}

/// A pipeline that merges the answers.
final class MergingPipeline: SearchScreen {
  let server: Server
  private(set) var displayed: Int?
  private let requests = PassthroughSubject<Future<Int, Never>, Never>()
  private var token: AnyCancellable?

  init(server: Server) {
    self.server = server
    token = requests.flatMap { $0 }.sink { [weak self] answer in
      // Justified: every answer is sent on the main actor. Noticed: elsewhere the process stops.
      MainActor.assumeIsolated { self?.displayed = answer }
    }
  }

  func search(_ text: Int) { requests.send(server.publisher(for: text)) }
}

/// A pipeline that switches to the latest request.
final class SwitchingPipeline: SearchScreen {
  let server: Server
  private(set) var displayed: Int?
  private let requests = PassthroughSubject<Future<Int, Never>, Never>()
  private var token: AnyCancellable?

  init(server: Server) {
    self.server = server
    token = requests.switchToLatest().sink { [weak self] answer in
      // Justified: every answer is sent on the main actor. Noticed: elsewhere the process stops.
      MainActor.assumeIsolated { self?.displayed = answer }
    }
  }

  func search(_ text: Int) { requests.send(server.publisher(for: text)) }
}

/// A resource that follows the text.
final class ResourceScreen: SearchScreen {
  private let text = Input<Int?>(nil)
  private let answer: AsyncResource<Int>

  init(server: Server) {
    answer = AsyncResource(following: text.observed) { text in await server.answer(to: text) }
    answer.start()
  }

  func search(_ text: Int) { self.text.write(text) }
  var displayed: Int? { answer.value }
}

/// How many of `count` races end with the answer to the first of two requests on the screen.
@MainActor
func wrongAnswers<Screen: SearchScreen>(of type: Screen.Type, in count: Int) async -> Int {
  var random = SplitMix64(state: 1)
  var wrong = 0
  for _ in 0..<count {
    let latencies = [0, 1].map { _ in Duration.milliseconds(Int.random(in: 50...500, using: &random)) }
    let pause = Duration.milliseconds(Int.random(in: 10...300, using: &random))
    let clock = ManualClock()
    let screen = Screen(server: Server(clock: clock, latencies: latencies))
    screen.search(0)
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: pause)
    screen.search(1)
    // The first one may have its answer by now.
    await clock.sleepers(atLeast: pause < latencies[0] ? 2 : 1)
    await clock.advance(by: .seconds(1))
    for _ in 0..<10 { await Task { @MainActor in }.value }
    if screen.displayed != 1 { wrong += 1 }
  }
  return wrong
}

/// The same numbers in each run.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
