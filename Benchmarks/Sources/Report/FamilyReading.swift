// SPDX-License-Identifier: MIT
import HeapCounter
import Workloads

/// What many different keys leave behind in a family that keeps a hundred idle entries.
struct FamilyReading {
  let count: Int
  /// The largest number of entries at a time.
  let most: Int
  let heap: HeapUse

  @MainActor static func measure() -> FamilyReading {
    let keys = ManyKeys()
    // Once before, so that what is allocated for good is there.
    keys.use(10_000)
    let count = 1_000_000
    let heap = HeapUse.counted(synchronously: { keys.use(count) })
    return FamilyReading(count: count, most: keys.most, heap: heap)
  }
}
