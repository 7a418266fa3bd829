import AsyncState
import Testing

/// The table of causes as a whole: not only what each makes of the facts, which `FactsTableTests` tries on every state that
/// a snapshot can be in, but also who hears what and what becomes of the load, from every state that can be reached.
@Suite("2 AsyncData: every row of the table", .timeLimit(.minutes(5)))
@ModelActor
struct DataExhaustiveTests {
  typealias Step = DataCommand.Action

  /// Ways to every combination of value, error, doubt and load.
  static let ways: [[Step]] = {
    let values: [[Step]] = [[], [.now([.set([1])])], [.now([.set(nil)])]]
    let errors: [[Step]] = [[], [.now([.setError(1)])]]
    let doubts: [[Step]] = [[], [.now([.invalidate])]]
    let modes: [[Step]] = [.reload, .refresh].map { [.now([.start(LoadRequest(mode: $0, id: 0, backOff: 1))])] }
    let lives: [[Step]] = [
      [], [.order(0, .yield([2]))], [.order(0, .report(0.5))], [.order(0, .fail(3)), .ticks(1)],
      [.now([.invalidate])], [.order(0, .yield(nil)), .now([.invalidate])],
    ]
    let loads = [[]] + modes.flatMap { mode in lives.map { mode + $0 } }
    return values.flatMap { value in
      errors.flatMap { error in doubts.flatMap { doubt in loads.map { value + error + doubt + $0 } } }
    }
  }()

  /// The rows of the table, in its order.
  static let causes: [Step] = [
    .now([.set([1])]), .now([.set(nil)]), .now([.setError(2)]), .now([.setError(nil)]), .now([.reset]),
    .now([.invalidate]), .now([.start(LoadRequest(mode: .reload))]), .now([.start(LoadRequest(mode: .refresh))]),
    .order(0, .yield([4])), .order(0, .report(2)), .order(0, .fail(5)), .order(0, .answer([6])),
    .order(0, .answerCurrent), .order(0, .giveUp), .now([.cancel]),
  ]

  @Test("2 every cause, from every combination of facts, with and without a seed", arguments: [nil, [0]] as [[Int]?])
  func table(seed: [Int]?) async {
    let setup = DataSetup(seed: seed, staleAfter: nil)
    #expect(Self.ways.count == 156)
    for way in Self.ways {
      for cause in Self.causes {
        let commands = (way + [cause]).map { DataCommand(action: $0) }
        let reason = await disagreement(DataComparison.self, setup, commands)?.reason
        #expect(reason == nil, "\(commands)")
      }
    }
  }
}
