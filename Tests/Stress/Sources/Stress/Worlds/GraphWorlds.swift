// SPDX-License-Identifier: MIT
import AsyncState

/// Tokens on what is written meanwhile, through every kind of derived value.
final class TokenWorld: World {
  private let scene: Scene
  private let input = Input(0)
  private let other = Input(0)
  private let flag = Input(true)
  private lazy var shared = input.zip(other).map { $0.0 + $0.1 }

  init(_ scene: Scene, isolation: isolated any Actor) { self.scene = scene }

  func makeParts(isolation: isolated any Actor) -> [Any] {
    let scene = scene
    func observe<T>(_ observed: Observed<T>) -> ObservedToken {
      let life = scene.census.life("observer")
      return observed.observe { _ in
        _ = life
        scene.called("observer")
      }
    }
    let (input, other) = (input, other)
    return [
      observe(input), observe(shared), observe(input.map { $0 / 2 }),
      observe(flag.flatMap { $0 ? input : other }.map { $0 + 1 }),
      observe(shared.zip(flag)), shared.map { $0 + 1 },
    ]
  }

  func write(_ number: Int, isolation: isolated any Actor) {
    input.write(number)
    flag.write(number % 3 == 0)
    batch { batch in
      batch.write(number, to: other)
      batch.write(-number, to: input)
    }
  }

  func check(owners: Int, isolation: isolated any Actor) async {
    await scene.census.isEmpty("observer")
  }
}

/// Inputs that are released under what is derived from them.
final class InputWorld: World {
  private let scene: Scene
  private let common = Input(0)
  private var tokens: [ObservedToken] = []
  private var derived: [Observed<Int>] = []

  init(_ scene: Scene, isolation: isolated any Actor) { self.scene = scene }

  func makeParts(isolation: isolated any Actor) -> [Any] {
    let scene = scene
    let input = Input(1)
    let sum = input.zip(common).map { $0.0 + $0.1 }
    // The observer stays; what it observes cannot change any more through the input that is released.
    tokens.append(sum.observe { _ in scene.called("observer of a sum", outlives: true) })
    derived.append(sum)
    return [input, input.map { $0 }]
  }

  func write(_ number: Int, isolation: isolated any Actor) { common.write(number) }

  func check(owners: Int, isolation: isolated any Actor) async {
    common.write(1_000)
    expect(derived.allSatisfy { $0.current == 1_001 }, "a sum has lost an input")
    tokens = []
  }
}

/// Boxes with bindings to what is written meanwhile, and boxes in them.
final class BoxWorld: World {
  private final class Label {
    private let scene: Scene
    private let life: Census.Life
    var number = 0 { didSet { scene.called("binding") } }

    init(_ scene: Scene) {
      self.scene = scene
      life = scene.census.life("label")
    }
  }

  private let scene: Scene
  private let input = Input(0)

  init(_ scene: Scene, isolation: isolated any Actor) { self.scene = scene }

  func makeParts(isolation: isolated any Actor) -> [Any] {
    let box = Box(Label(scene))
    box.bind(\.number, to: input)
    let child = Box(Label(scene))
    child.bind(to: input.map { $0 + 1 }) { $0.number = $1 }
    box.add(child) { _, _ in }
    box.retain(input.map { $0 * 2 }.observe { [scene] _ in scene.called("observer") })
    return [box]
  }

  func write(_ number: Int, isolation: isolated any Actor) { input.write(number) }

  func check(owners: Int, isolation: isolated any Actor) async {
    await scene.census.isEmpty("label")
  }
}

/// Everything of a graph that one owner has, input, steps and tokens, beside a graph that stays.
final class GraphWorld: World {
  private let scene: Scene
  private let common = Input(0)
  private var own: [Observed<Int>] = []
  private var number = 0
  private struct Weak { weak var input: Input<Int>? }
  private var inputs: [Weak] = []

  init(_ scene: Scene, isolation: isolated any Actor) { self.scene = scene }

  func makeParts(isolation: isolated any Actor) -> [Any] {
    let scene = scene
    let input = Input(0)
    inputs.append(Weak(input: input))
    let common = common
    let chooser = Input(false)
    let steps = (0..<5).map { step in input.map { $0 + step } }
    let last = chooser.flatMap { $0 ? common : steps[2] }
    let life = scene.census.life("observer")
    let token = last.zip(steps[4]).observe { [weak input] _ in
      _ = life
      scene.called("observer")
      if let input, input.current < 0 { input.write(0) }
    }
    return [input, token, chooser, last] + steps
  }

  func write(_ number: Int, isolation: isolated any Actor) {
    common.write(number)
    // Until its owner is released, each is written, too: the weak reference may be the last one for a moment.
    for weak in inputs { weak.input?.write(number % 2 == 0 ? number : -number) }
  }

  func check(owners: Int, isolation: isolated any Actor) async {
    await scene.census.isEmpty("observer")
  }
}
