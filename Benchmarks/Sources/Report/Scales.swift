// SPDX-License-Identifier: MIT
import Workloads

/// Weighs objects: many of a kind are made, and what the heap has grown by is divided by their number.
actor Scales {
  private static let count = 10_000

  static func weighAll() async -> [String: Double] {
    var weights: [String: Double] = [:]
    for specimen in Specimen.all {
      let scales = Scales()
      weights[specimen.name] = await scales.weigh(specimen)
      await scales.clear()
    }
    return weights
  }

  private func weigh(_ specimen: Specimen) async -> Double {
    let make = specimen.prepare(self)
    // The first few come with what is shared by all of them.
    for _ in 0..<10 { _ = make() }
    var bodies: [Specimen.Body] = []
    bodies.reserveCapacity(Scales.count)
    let heap = HeapUse.counted(synchronously: {
      for _ in 0..<Scales.count { bodies.append(make()) }
    })
    withExtendedLifetime(bodies) {}
    return heap.growth / Double(Scales.count)
  }

  /// What the bodies started has its turn on this actor, and ends, before this has: so it does not weigh on the next.
  private func clear() async {
    await Task { _ = self }.value
  }
}
