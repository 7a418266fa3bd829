// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting

/// Resources in the middle of a load, or of a stream, and resources that follow a key which changes meanwhile.
final class ResourceWorld: World {
  private let scene: Scene
  private let clock = ManualClock()
  private let key = Input<Int?>(1)
  private var made = Int.random(in: 0..<4)
  /// A server keeps its end of a stream.
  private var connections: [AsyncStream<Int>.Continuation] = []
  /// From a load that has kept it: nothing may come of it.
  private final class Pocket { var reporter: LoadReporter<Int>? }

  init(_ scene: Scene, isolation: isolated any Actor) {
    self.scene = scene
    scene.moveAtEnd(clock)
  }

  func makeParts(isolation: isolated any Actor) -> [Any] {
    made += 1
    let scene = scene
    let life = scene.census.life("operation")
    let gate = ManualServer<Int>()
    scene.atEnd { for call in 1...100 { gate.answer(call: call, with: .success(1)) } }
    let pocket = Pocket()
    let resource =
      switch made % 3 {
      case 0:
        AsyncResource<Int>(
          isolation: isolation,
          options: LoadOptions(retry: .exponential(retries: 2), timeout: .seconds(3), clock: clock)
        ) { [weak pocket] in
          .value { reporter in
            _ = life
            pocket?.reporter = reporter
            scene.called("operation", outlives: true)
            return try await gate.wait()
          }
        }
      case 1: stream(isolation: isolation)
      default:
        AsyncResource<Int>(
          isolation: isolation, following: key, delay: .seconds(made % 3), options: LoadOptions(clock: clock)
        ) { _ in
          .value {
            _ = life
            scene.called("operation", outlives: true)
            return try await gate.wait()
          }
        }
      }
    let listener = Listener<Int>(scene)
    resource.data.delegate = listener
    let handle = resource.start(isolation: isolation)
    return [resource, listener, handle, pocket]
  }

  private func stream(isolation: isolated any Actor) -> AsyncResource<Int> {
    let (stream, connection) = AsyncStream<Int>.makeStream()
    let life = scene.census.life("connection")
    connection.onTermination = { _ in withExtendedLifetime(life) {} }
    connection.yield(1)
    connections.append(connection)
    // An open stream keeps its actor, and so the resource that is a property of that.
    if isolation is OwningActor { scene.atEnd { connection.finish() } }
    return AsyncResource(isolation: isolation) { .live { stream } }
  }

  func write(_ number: Int, isolation: isolated any Actor) {
    if number % 10 == 0 { key.write(number % 30 == 0 ? nil : number) }
  }

  func check(owners: Int, isolation: isolated any Actor) async {
    scene.answer()
    await scene.census.isEmpty("operation")
    await scene.census.isEmpty("connection")
    await scene.census.isEmpty("delegate")
    connections = []
  }
}
