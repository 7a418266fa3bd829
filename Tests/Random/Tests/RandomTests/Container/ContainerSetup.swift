// SPDX-License-Identifier: MIT
/// The states of a container, their children, and its animator: fixed for one sequence.
struct ContainerSetup {
  enum Animator: CaseIterable {
    /// The library's own, that takes no time.
    case immediate
    /// Keeps what it is given until a command ends it.
    case held
    /// Ends every other animation at once, and keeps the others.
    case eager
    /// The library's own, by a clock.
    case clock
  }

  static var childCount: Int { 6 }

  /// The children of each state, as they are listed.
  var cast: [[Int]]
  var animator: Animator
  /// The kind of container.
  var keepsState = false
  /// How long each child is animated and how long it waits, in ticks, if it has a say.
  var durations: [Int]
  var delays: [Int]
  /// A journal records the container. It must not change it.
  var hasJournal = false

  static func random(using random: inout SeededGenerator) -> ContainerSetup {
    func numbers(_ range: ClosedRange<Int>) -> [Int] {
      (0..<childCount).map { _ in Int.random(in: range, using: &random) }
    }
    let cast = (0..<Int.random(in: 3...5, using: &random)).map { _ in
      (0..<Int.random(in: 0...4, using: &random)).map { _ in Int.random(in: 0..<childCount, using: &random) }
    }
    return ContainerSetup(
      cast: cast, animator: Animator.allCases.randomElement(using: &random)!, keepsState: .random(using: &random),
      durations: numbers(-1...9), delays: numbers(-2...3), hasJournal: .random(using: &random))
  }
}
