// SPDX-License-Identifier: MIT
/// A figure that the library is held to.
struct Target: Sendable {
  /// Which way is better.
  enum Limit: Sendable {
    case atMost(must: Double, aim: Double)
    case atLeast(must: Double, aim: Double)
  }

  let work: String
  let limit: Limit
  let unit: Unit
  let value: @Sendable (Findings) -> Double

  init(_ work: String, _ limit: Limit, _ unit: Unit, _ value: @escaping @Sendable (Findings) -> Double) {
    self.work = work
    self.limit = limit
    self.unit = unit
    self.value = value
  }

  /// The row of the table: the work, what must be, what is aimed at, what is, and what to say of it.
  func row(_ findings: Findings) -> [String] {
    let value = value(findings)
    switch limit {
    case .atMost(let must, let aim):
      return [
        work, must == 0 ? unit.text(must) : "at most \(unit.text(must))", unit.text(aim), unit.text(value),
        verdict(must: value <= must, aim: value <= aim),
      ]
    case .atLeast(let must, let aim):
      return [
        work, "at least \(unit.text(must))", unit.text(aim), unit.text(value),
        verdict(must: value >= must, aim: value >= aim),
      ]
    }
  }

  private func verdict(must: Bool, aim: Bool) -> String {
    if aim { "aim" } else if must { "yes" } else { "**no**" }
  }
}
