import HeapCounter

/// What some work did to the heap. Not a number where that cannot be counted.
struct HeapUse {
  /// How many blocks were asked for.
  let allocations: Double
  /// How many bytes more are in use at the end than at the start.
  let growth: Double
  /// How many bytes more were in use at any time.
  let peak: Double

  /// Counts while `body` runs, on all threads.
  static func counted(isolation: isolated (any Actor)? = #isolation, _ body: () async -> Void) async -> HeapUse {
    heapCounterStart()
    await body()
    let reading = heapCounterStop()
    guard heapCounterIsAvailable() else { return HeapUse(allocations: .nan, growth: .nan, peak: .nan) }
    return HeapUse(
      allocations: Double(reading.allocations), growth: Double(reading.liveBytes), peak: Double(reading.peakBytes))
  }
}
