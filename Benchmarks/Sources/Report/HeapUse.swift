// SPDX-License-Identifier: MIT
import HeapCounter

/// What some work did to the heap. Not a number where that cannot be counted.
struct HeapUse {
  /// How many blocks were requested.
  let allocations: Double
  /// How many bytes more are in use at the end than at the start.
  let growth: Double
  /// How many blocks more are in use at the end than at the start.
  let blocks: Double
  /// How many bytes more were in use at any time.
  let peak: Double

  /// Counts while `body` runs, on all threads.
  static func counted(isolation: isolated (any Actor)? = #isolation, _ body: () async -> Void) async -> HeapUse {
    heapCounterStart()
    await body()
    return HeapUse(heapCounterStop())
  }

  /// Counts while `body` runs on the caller's actor.
  static func counted(synchronously body: () -> Void) -> HeapUse {
    heapCounterStart()
    body()
    return HeapUse(heapCounterStop())
  }

  private init(_ reading: HeapReading) {
    let isAvailable = heapCounterIsAvailable()
    allocations = isAvailable ? Double(reading.allocations) : .nan
    growth = isAvailable ? Double(reading.liveBytes) : .nan
    blocks = isAvailable ? Double(reading.liveBlocks) : .nan
    peak = isAvailable ? Double(reading.peakBytes) : .nan
  }
}
