import Workloads

/// Measures everything in one process and prints it as markdown: the targets first, and then the figures behind them.
@main
struct Report {
  static func main() async {
    TraceCheck.run()
    // The heap first, as long as nothing else is there whose end could be counted with it.
    let findings = Findings(
      chains: await ChainReading.measureAll(), crowd: await CrowdReading.measure(), weights: await Scales.weighAll(),
      times: await StopWatch.measureAll())
    print(findings.markdown)
  }
}
