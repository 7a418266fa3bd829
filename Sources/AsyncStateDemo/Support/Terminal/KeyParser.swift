// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// A key that was pressed.
enum Key: Hashable {
  case left
  case right
  case enter
  case backspace
  /// Control and a letter.
  case control(Character)
  case character(Character)
}

/// Reads keys out of what a terminal sends, which may break off in the middle of a key.
///
/// The sequences are those of xterm: https://invisible-island.net/xterm/ctlseqs/ctlseqs.html
struct KeyParser {
  /// The bytes of a sequence that is not complete.
  private var pending: [UInt8] = []

  /// Takes in what the terminal has sent.
  ///
  /// - Returns: The keys that are complete by now. What is no known key is left out.
  mutating func keys(from bytes: some Sequence<UInt8>) -> [Key] {
    pending += bytes
    var keys: [Key] = []
    while let (length, key) = Self.first(of: pending[...]) {
      pending.removeFirst(length)
      if let key { keys.append(key) }
    }
    return keys
  }

  /// The first key, if it is complete, and how many bytes it takes up.
  private static func first(of bytes: ArraySlice<UInt8>) -> (length: Int, key: Key?)? {
    guard let byte = bytes.first else { return nil }
    switch byte {
    case 0x1B: return sequence(bytes)
    case 0x0A, 0x0D: return (1, .enter)
    case 0x08, 0x7F: return (1, .backspace)
    case 0x01...0x1A: return (1, .control(Character(Unicode.Scalar(byte + 0x60))))
    case 0x20...0x7E: return (1, .character(Character(Unicode.Scalar(byte))))
    // No key of the demo is of several bytes.
    default: return (1, nil)
    }
  }

  /// A key that begins with an escape.
  private static func sequence(_ bytes: ArraySlice<UInt8>) -> (length: Int, key: Key?)? {
    guard let second = bytes.dropFirst().first else { return nil }
    guard [UInt8(ascii: "["), UInt8(ascii: "O")].contains(second) else { return (1, nil) }
    let parameters = bytes.dropFirst(2).prefix { (0x20...0x3F).contains($0) }
    guard let final = bytes.dropFirst(2 + parameters.count).first else { return nil }
    switch final {
    case UInt8(ascii: "C"): return (3 + parameters.count, .right)
    case UInt8(ascii: "D"): return (3 + parameters.count, .left)
    case 0x40...0x7E: return (3 + parameters.count, nil)
    // One that was cut off: what follows is a key of its own, such as Ctrl-C.
    default: return (2 + parameters.count, nil)
    }
  }
}
#endif
