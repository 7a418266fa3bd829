// SPDX-License-Identifier: MIT
/// Between which addresses the stack moves.
public struct StackExtent {
  private var lowest = UInt.max
  private var highest = UInt.min

  /// How many bytes lie between the shallowest and the deepest call.
  public var bytes: UInt { highest > lowest ? highest - lowest : 0 }

  /// Notes how deep the stack is here.
  @inline(never)
  mutating func note() {
    var here: UInt8 = 0
    let address = withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
    lowest = min(lowest, address)
    highest = max(highest, address)
  }
}
