// SPDX-License-Identifier: MIT
@testable import AsyncState
@testable import AsyncStateTesting
import Testing

extension AllTests {
  struct ChildSurfaceTests {
    private let trace = Recorder()
    private let players: [String: TracedChild]

    init() {
      var players: [String: TracedChild] = [:]
      for number in 0..<60 { players["c\(number)"] = TracedChild("c\(number)", trace) }
      self.players = players
    }

    private func children(_ numbers: [Int]) -> [any ChildController] { numbers.map { players["c\($0)"]! } }
    private func numbers(_ children: some Sequence<any ChildController>) -> [Int] {
      children.map { Int(($0 as! TracedChild).name.dropFirst())! }
    }

    @Test("5.5 the difference of any two lists, long or short, is right", arguments: 0..<300 as Range<UInt64>)
    func difference(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      let most = [1, 2, 4, 12, 16, 17, 60][Int(seed % 7)]
      let list = { (random: inout SeededGenerator) in
        (0..<Int.random(in: 0...most, using: &random)).map { _ in Int.random(in: 0..<most, using: &random) }
      }
      let old = unique(list(&random))
      let asked = Bool.random(using: &random) ? list(&random) : old
      let new = unique(asked)
      let difference = ChildDifference(from: children(old), to: children(asked))
      let entering = new.filter { !old.contains($0) }
      let leaving = old.filter { !new.contains($0) }
      expectEqual(numbers(difference.new), new)
      expectEqual(numbers(difference.old), old)
      expectEqual(difference.hasEntering, !entering.isEmpty)
      expectEqual(difference.changesSurface, (new + leaving != old))
      for child in old + new {
        expectEqual(difference.isEntering(children([child])[0]), entering.contains(child))
        expectEqual(difference.isLeaving(children([child])[0]), leaving.contains(child))
      }
      var surface = ChildSurface()
      surface.arrange(ChildDifference(from: [], to: children(old)))
      surface.arrange(difference)
      expectEqual(numbers(surface.children), new + leaving)
      expectEqual(surface.isSettled, leaving.isEmpty)
    }

    private func unique(_ list: [Int]) -> [Int] {
      var seen: Set<Int> = []
      return list.filter { seen.insert($0).inserted }
    }
  }
}
