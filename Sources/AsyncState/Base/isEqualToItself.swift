// SPDX-License-Identifier: MIT
/// Whether a key can be found again: one with a NaN inside cannot.
func isEqualToItself<Key: Equatable>(_ key: Key) -> Bool { key == key }
