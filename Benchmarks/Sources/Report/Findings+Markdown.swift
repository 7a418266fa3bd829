// SPDX-License-Identifier: MIT
import Workloads

extension Findings {
  /// All tables, each with a word on how to read it.
  var markdown: String {
    """
    \(targetTable)

    Time of one operation, the median of many interleaved rounds; in brackets, how many times the library's it is:

    \(timeTable)

    Allocations of one operation in the steady state:

    \(allocationTable)

    Each observer more, between two numbers of them. The rows are alike where growth is linear:

    \(observerTable)

    A chain of a million requests, each made in the callback of the one before:

    \(chainTable)

    A crowd of hosts that was made, driven and released:

    \(crowdTable)

    Heap of an object and all that it holds, by what the blocks really take. Children, delegates and contents are not
    in it:

    \(weightTable)
    """
  }

  private var targetTable: String {
    var table = MarkdownTable("work", "must", "aim", "is", "reached")
    for target in Target.all { table.add(target.row(self)) }
    return table.text
  }

  private var timeTable: String {
    sideTable { comparison, side in
      let time = Unit.nanoseconds.text(time(comparison, side))
      return side == .asyncState ? time : "\(time) (\(Unit.times.text(advantage(comparison, over: side))))"
    }
  }

  private var allocationTable: String {
    sideTable { comparison, side in
      Unit.allocations.text(times[comparison.name]?[side]?.allocations ?? .nan)
    }
  }

  /// A row for each work and a column for each side.
  private func sideTable(_ cell: (Comparison, Contender.Side) -> String) -> String {
    var table = MarkdownTable(header: ["work"] + Contender.Side.allCases.map(\.rawValue))
    for comparison in Comparison.all {
      let cells = Contender.Side.allCases.map { comparison.contender($0) == nil ? "" : cell(comparison, $0) }
      table.add([comparison.name] + cells)
    }
    return table.text
  }

  private var observerTable: String {
    let sides: [Contender.Side] = [.asyncState, .byHand, .openCombine]
    var table = MarkdownTable(header: ["from", "to"] + sides.map(\.rawValue))
    for (few, many) in zip(Comparison.observerCounts, Comparison.observerCounts.dropFirst()) {
      table.add([few, many].map(String.init) + sides.map { Unit.nanoseconds.text(growth(from: few, to: many, $0)) })
    }
    return table.text
  }

  private var chainTable: String {
    var table = MarkdownTable("chain", "stack, ten links", "stack, a million", "growth of the heap", "its peak")
    for chain in chains {
      let figures = [
        chain.stackBytes, chain.stackBytes + chain.stackGrowth, chain.heap.growth, chain.heap.peak,
      ]
      table.add([chain.name] + figures.map(Unit.bytes.text))
    }
    return table.text
  }

  private var crowdTable: String {
    var table = MarkdownTable("hosts", "heap meanwhile", "of each, with children and delegate", "left behind")
    let figures = [crowd.heap.peak, crowd.heap.peak / Double(crowd.count), crowd.heap.growth]
    table.add(["\(crowd.count)"] + figures.map(Unit.bytes.text))
    return table.text
  }

  private var weightTable: String {
    var table = MarkdownTable("object", "heap")
    for specimen in Specimen.all { table.add([specimen.name, Unit.bytes.text(weight(specimen))]) }
    return table.text
  }
}
