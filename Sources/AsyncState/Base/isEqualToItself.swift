// SPDX-License-Identifier: MIT
/// True if a dictionary can find the key again. False for one with a NaN inside.
func isEqualToItself<Key: Equatable>(_ key: Key) -> Bool { key == key }
