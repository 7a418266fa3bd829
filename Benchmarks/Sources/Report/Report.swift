// SPDX-License-Identifier: MIT
import Foundation
import SingleThread
import Workloads

/// Measures everything in one process and on one thread, and prints it as markdown: the targets first, and then the
/// figures behind them.
@main
struct Report {
  static func main() {
    TraceCheck.run()
    // Here, because the family belongs to the main actor, which does not run on the thread below.
    let family = FamilyReading.measure()
    // On several threads a task takes one of two times, by chance: whether a thread was awake to take it.
    singleThreadBegin()
    Task.detached {
      await measure(beside: family)
      exit(0)
    }
    singleThreadRun()
    fatalError("Report: the work went on to another thread.")
  }

  private static func measure(beside family: FamilyReading) async {
    // The heap first, as long as nothing else is there whose end could be counted with it.
    let findings = Findings(
      chains: await ChainReading.measureAll(), crowd: await CrowdReading.measure(),
      family: family, journal: await JournalReading.measure(), weights: await Scales.weighAll(),
      times: await StopWatch.measureAll())
    print(findings.markdown)
  }
}
