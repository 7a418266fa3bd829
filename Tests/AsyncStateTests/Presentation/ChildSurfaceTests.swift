@testable import AsyncState
import Testing

@Suite("5.5, 5.6 the child difference")
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

  private func surface(_ standing: [Int]) -> ChildSurface {
    var surface = ChildSurface()
    surface.plan(children(standing))
    _ = surface.arrange()
    surface.settleEntering()
    return surface
  }

  @Test("5.6 the difference of any two lists, long or short, is right", arguments: 0..<300 as Range<UInt64>)
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let most = [4, 12, 16, 17, 60][Int(seed % 5)]
    let list = { (random: inout SeededGenerator) in
      (0..<Int.random(in: 0...most, using: &random)).map { _ in Int.random(in: 0..<most, using: &random) }
    }
    let old = unique(list(&random))
    let asked = list(&random)
    let new = unique(asked)
    var surface = surface(old)
    surface.plan(children(asked))
    let leaving = old.filter { !new.contains($0) }
    #expect(numbers(surface.children) == old)
    #expect(numbers(surface.entering) == new.filter { !old.contains($0) })
    #expect(numbers(surface.leaving) == leaving)
    #expect(numbers(surface.nextPresent) == new)
    let isChanged = surface.arrange()
    #expect(isChanged == (old != new + leaving))
    #expect(numbers(surface.children) == new + leaving)
    #expect(numbers(surface.present) == new)
    surface.settleEntering()
    var rest = leaving
    while let first = rest.first {
      // Gone in order, or out of order.
      if rest.count > 1, Bool.random(using: &random) {
        let removed = surface.removeLeaving(players["c\(rest[1])"]!)
        #expect(removed)
        rest.remove(at: 1)
      } else {
        let removed = surface.removeFirstLeaving()
        #expect(removed)
        rest.removeAll { $0 == first }
      }
      #expect(numbers(surface.children) == new + rest)
      #expect(numbers(surface.leaving) == rest)
    }
    #expect(surface.entering.isEmpty && surface.leaving.isEmpty)
  }

  @Test("5.11 those that leave may be left out before the surface is arranged")
  func forgetLeaving() {
    var surface = surface([1, 2, 3])
    surface.plan(children([4, 2]))
    surface.forgetLeaving()
    let isChanged = surface.arrange()
    #expect(isChanged)
    #expect(numbers(surface.children) == [4, 2])
    #expect(surface.leaving.isEmpty)
  }

  @Test("5.4 one who has arrived is not entering any more")
  func settleOne() {
    var surface = surface([])
    surface.plan(children([1, 2]))
    _ = surface.arrange()
    surface.settleEntering(players["c1"]!)
    #expect(numbers(surface.entering) == [2])
    #expect(numbers(surface.present) == [1, 2])
  }

  private func unique(_ list: [Int]) -> [Int] {
    var seen: Set<Int> = []
    return list.filter { seen.insert($0).inserted }
  }
}
