// SPDX-License-Identifier: MIT
import HeapCounter
import Workloads

/// What a crowd of hosts took of the heap, and whether it gave everything back.
struct CrowdReading {
  let count: Int
  /// How many bytes were in use before.
  let heapAtStart: Double
  let heap: HeapUse

  static func measure() async -> CrowdReading {
    let count = Comparison.hosts.crowd ?? Comparison.hosts.batch
    let home = Home(Comparison.hosts.contenders[0])
    // Once before, so that what is allocated for good is there.
    await home.run(count)
    let heapAtStart = Double(heapBytesInUse())
    return CrowdReading(count: count, heapAtStart: heapAtStart, heap: await HeapUse.counted { await home.run(count) })
  }
}
