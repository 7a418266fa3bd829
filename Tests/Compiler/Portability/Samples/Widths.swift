// SPDX-License-Identifier: MIT
// Int has 32 bits.

let centuryByMultiplying: Duration = .seconds(100 * 365 * 86_400)  // expected: results in an overflow
let centuryAsALiteral = Duration.seconds(3_153_600_000)  // expected: overflows when stored into 'Int'
let mask = UInt(0xFFFF_FFFF_FFFF)  // expected: overflows when stored into 'UInt'

func nanoseconds() -> Int {
  let second = 1_000_000_000
  return second * 60  // expected: results in an overflow
}

let century = Duration.seconds(100 * 365 * 86_400 as Int64)
let wideMask: UInt64 = 0xFFFF_FFFF_FFFF
let year = Duration.seconds(365 * 86_400)
