// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// A small random generator with a seed: the same seed, the same numbers, on every machine.
///
/// Guy Steele, Doug Lea, Christine Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// A generator for one purpose: streams with different names have nothing to do with each other.
  init(seed: UInt64, stream name: String) {
    // FNV-1a. `Hasher` is seeded anew in each process.
    let hash = name.utf8.reduce(14_695_981_039_346_656_037 as UInt64) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    self.init(seed: seed ^ hash)
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
#endif
