// SPDX-License-Identifier: MIT
import Workloads

/// What a long chain of requests took of the stack and of the heap.
struct ChainReading {
  let name: String
  /// How far the stack reaches between the callbacks of a short chain.
  let stackBytes: Double
  /// How much farther it reaches in a long one.
  let stackGrowth: Double
  /// What the long one did to the heap.
  let heap: HeapUse

  static func measureAll() async -> [ChainReading] {
    var readings: [ChainReading] = []
    for comparison in Comparison.chains { readings.append(await Track(comparison).run()) }
    return readings
  }
}

/// The actor that a chain runs on.
private actor Track {
  private let name: String
  private let length: Int
  private let chain: any ChainWork

  init(_ comparison: Comparison) {
    name = comparison.name
    length = comparison.crowd ?? comparison.batch
    guard let chain = comparison.contender(.asyncState)?.make() as? any ChainWork else {
      fatalError("\(comparison.name) is no chain.")
    }
    self.chain = chain
  }

  func run() async -> ChainReading {
    // A short one first, to compare with, and so that what is allocated for good is there.
    chain.run(10)
    let stackOfShort = Double(chain.stack.bytes)
    let heap = await HeapUse.counted { chain.run(length) }
    return ChainReading(
      name: name, stackBytes: stackOfShort, stackGrowth: Double(chain.stack.bytes) - stackOfShort, heap: heap)
  }
}
