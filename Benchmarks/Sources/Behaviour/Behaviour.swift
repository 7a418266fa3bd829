// SPDX-License-Identifier: MIT

/// Counts what a person sees and what a test says, by hand, with pipelines, and with the library; as the tables of
/// README.md.
@main
enum Behaviour {
  @MainActor
  static func main() async {
    let races = 1000
    print("| answers in the wrong order | of \(races) races |\n|---|---|")
    await row("by hand: a task for each request", wrongAnswers(of: TaskScreen.self, in: races))
    await row("by hand: the former task is cancelled", wrongAnswers(of: CancellingScreen.self, in: races))
    await row("by hand: the same, and a check after `await`", wrongAnswers(of: CheckingScreen.self, in: races))
    await row("OpenCombine: `flatMap`", wrongAnswers(of: MergingPipeline.self, in: races))
    await row("OpenCombine: `map`, `switchToLatest`", wrongAnswers(of: SwitchingPipeline.self, in: races))
    await row("AsyncState: `AsyncResource(following:)`", wrongAnswers(of: ResourceScreen.self, in: races))

    print()
    print("| indicator after, at least for | displayed | less than 0.3 s | nothing, at most | answer later, at most |")
    print("|---|---|---|---|---|")
    for (delay, minimum) in [(0, 0), (200, 0), (300, 300), (200, 500)] {
      let found = await flashes(delay: .milliseconds(delay), minimum: .milliseconds(minimum))
      let times = [found.longestNothing, found.latestAnswer].map { "\(Int($0 / .milliseconds(1))) ms" }
      print("| \(delay) ms, \(minimum) ms | \(found.indicators) | \(found.flashes) | \(times[0]) | \(times[1]) |")
    }

    let runs = 1000
    print("\n| a test of a retry | failures of \(runs) runs | the same on a busy machine |\n|---|---|---|")
    for (name, passes) in tests {
      let (idle, busy) = (await failures(of: runs, passes), await whileBusy { await failures(of: runs, passes) })
      print("| \(name) | \(idle) | \(busy) |")
    }
  }

  private static let tests: [(name: String, passes: @MainActor @Sendable () async -> Bool)] = [
    ("sleeps, with 5 ms to spare", { await passesByRealTime(margin: .milliseconds(5)) }),
    ("sleeps, with 20 ms to spare", { await passesByRealTime(margin: .milliseconds(20)) }),
    ("`ManualClock`, `ManualServer`, `settled()`", { await passesWithManualClock() }),
  ]

  private static func row(_ name: String, _ count: Int) {
    print("| \(name) | \(count) |")
  }
}
