// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// A number of bytes, in the unit that suits it.
struct ByteCount: CustomStringConvertible {
  private let count: Int

  init(_ count: Int) {
    self.count = count
  }

  var description: String {
    if count < 1000 { return "\(count) B" }
    var tenths = (count + 50) / 100
    var units = ["kB", "MB", "GB", "TB"][...]
    while tenths >= 10_000, units.count > 1 {
      tenths = (tenths + 500) / 1000
      units.removeFirst()
    }
    return "\(tenths / 10).\(tenths % 10) \(units[units.startIndex])"
  }
}
#endif
