@testable import AsyncState
import Testing

@Suite("5.5, 5.6 the child difference and the surface")
struct ChildSurfaceTests {
  private let trace = Trace()
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
    let coming = new.filter { !old.contains($0) }
    let going = old.filter { !new.contains($0) }
    #expect(numbers(difference.new) == new)
    #expect(numbers(difference.coming) == coming)
    #expect(numbers(difference.going) == going)
    #expect(difference.isEmpty == (old == new))
    for child in old + new {
      #expect(difference.comes(children([child])[0]) == coming.contains(child))
      #expect(difference.goes(children([child])[0]) == going.contains(child))
    }
  }

  @Test(
    "5.6 the surface has those that stay below those that go, until they are gone, in whatever order",
    arguments: 0..<50 as Range<UInt64>)
  func surface(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var surface = ChildSurface()
    for round in 0..<4 {
      let present = (0..<Int.random(in: 0...3, using: &random)).map { round * 10 + $0 }
      var going = (0..<Int.random(in: 0...3, using: &random)).map { round * 10 + 5 + $0 }
      surface.arrange(children(present), under: children(going))
      #expect(numbers(surface.present) == present)
      #expect(numbers(surface.children) == present + going)
      for gone in going.shuffled(using: &random) {
        surface.remove(players["c\(gone)"]!)
        going.removeAll { $0 == gone }
        #expect(numbers(surface.children) == present + going)
      }
      #expect(surface.withLeaving.isEmpty)
      surface.remove(players["c59"]!)
      #expect(numbers(surface.children) == present)
    }
  }

  private func unique(_ list: [Int]) -> [Int] {
    var seen: Set<Int> = []
    return list.filter { seen.insert($0).inserted }
  }
}
