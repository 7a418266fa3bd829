// SPDX-License-Identifier: MIT
import AsyncState
import Testing

extension AllTests {
  /// The table of causes as a whole: not only what each makes of the data, which `DataEventTests` tries on every record that
  /// there can be, but also the notifications and the end of the load, from every state that can be reached.
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

    /// What brings about a cause of the contract's table; empty for those that the model does not have, nil for unknown ones.
    static func ways(to cause: String) -> [[Step]]? {
      switch cause {
      case "`value = v`": [[.now([.set([1])])], [.now([.set(nil)])]]
      case "`error = e`": [[.now([.setError(2)])]]
      case "`error = nil`": [[.now([.setError(nil)])]]
      case "`reset()`": [[.now([.reset])]]
      case "`invalidate()`": [[.now([.invalidate])]]
      case "`cancel()`": [[.now([.cancel])]]
      case "load starts": [LoadMode.reload, .refresh].map { [.now([.start(LoadRequest(mode: $0))])] }
      case "load yields v": [[.order(0, .yield([4]))], [.order(0, .yield(nil))]]
      case "load progresses": [[.order(0, .report(2))]]
      case "load retries": [[.order(0, .fail(5))]]
      case "load succeeds with v": [[.order(0, .answer([6]))], [.order(0, .answerCurrent)]]
      case "load fails with e":
        [.fail(5), .giveUp].map { [.order(0, $0), .ticks(1), .order(0, .fail(6)), .ticks(1), .order(0, .fail(7))] }
      case "load is cancelled": [[.now([.cancelHandle(0)])]]
      case "change is made": [[.mutate(9)]]
      case "change is confirmed": [[.mutate(9), .decide(0, .confirm)]]
      case "change is removed": [[.mutate(9), .decide(0, .fail(3))]]
      case "dropped change is in doubt":
        [[.mutate(9), .now([.set([4])]), .decide(0, .confirm)]]
      // Creation is where every way begins. The others are a push's, a gate's, a family's, a stream's, a list's, a followed key's
      // and a host's, and have tests of their own.
      case "created", "load waits", "load continues", "load finds the value fresh", "element v arrives", "stream ends",
        "value is updated",
        "page is requested", "page waits", "page continues", "page arrives", "page fails with e", "page is cancelled",
        "page is superseded",
        "stored value v arrives",
        "key changes", "key is removed", "key is missing", "key is forgotten", "parts change":
        []
      default: nil
      }
    }

    @Test("2 every cause, from every combination of data, with and without a seed", arguments: [nil, [0]] as [[Int]?])
    func table(seed: [Int]?) async throws {
      let setup = DataSetup(seed: seed, staleAfter: nil)
      let causes = try CauseTable().causes.flatMap { try #require(Self.ways(to: $0), "the cause \($0) is unknown") }
      #expect(causes.count == 22)
      #expect(Self.ways.count == 156)
      for way in Self.ways {
        for cause in causes {
          let commands = (way + cause).map { DataCommand(action: $0) }
          let reason = await disagreement(DataComparison.self, setup, commands)?.reason
          #expect(reason == nil, "\(commands)")
        }
      }
    }
  }
}
