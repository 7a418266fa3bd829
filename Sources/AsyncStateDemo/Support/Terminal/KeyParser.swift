// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// Reads keys out of what a terminal sends, which may break off in the middle of a key.
///
/// The sequences are those of xterm: https://invisible-island.net/xterm/ctlseqs/ctlseqs.html
struct KeyParser {
  /// The bytes of a key that is not complete.
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

  /// The last bytes of sequences.
  private static let finals: ClosedRange<UInt8> = 0x40...0x7E

  /// The first key, if it is complete, and how many bytes it takes up.
  private static func first(of bytes: ArraySlice<UInt8>) -> (length: Int, key: Key?)? {
    guard let byte = bytes.first else { return nil }
    switch byte {
    case 0x1B: return escaped(bytes)
    case 0x0A, 0x0D: return (1, .enter)
    case 0x08, 0x7F: return (1, .backspace)
    case 0x01...0x1A: return (1, .control(Character(Unicode.Scalar(byte + 0x60))))
    case 0x20...0x7E: return (1, .character(Character(Unicode.Scalar(byte))))
    case 0xC2...0xF4: return character(bytes)
    default: return (1, nil)
    }
  }

  /// The escape key, or a key that begins with an escape.
  private static func escaped(_ bytes: ArraySlice<UInt8>) -> (length: Int, key: Key?)? {
    guard let second = bytes.dropFirst().first else { return nil }
    switch second {
    case UInt8(ascii: "["):
      let parameters = bytes.dropFirst(2).prefix { (0x20...0x3F).contains($0) }
      guard let final = bytes.dropFirst(2 + parameters.count).first else { return nil }
      // One that was cut off: what follows is a key of its own, such as Ctrl-C.
      guard finals.contains(final) else { return (2 + parameters.count, nil) }
      return (3 + parameters.count, key(final: final, number: number(parameters)))
    case UInt8(ascii: "O"):
      guard let final = bytes.dropFirst(2).first else { return nil }
      guard finals.contains(final) else { return (2, nil) }
      return (3, key(final: final, number: nil))
    default:
      return (1, .escape)
    }
  }

  private static func key(final: UInt8, number: Int?) -> Key? {
    switch (Character(Unicode.Scalar(final)), number) {
    case ("A", _): .up
    case ("B", _): .down
    case ("C", _): .right
    case ("D", _): .left
    case ("H", _), ("~", 1), ("~", 7): .home
    case ("F", _), ("~", 4), ("~", 8): .end
    case ("~", 5): .pageUp
    case ("~", 6): .pageDown
    case ("M", nil): .enter
    default: nil
    }
  }

  private static func number(_ parameters: ArraySlice<UInt8>) -> Int? {
    Int(String(decoding: parameters.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self))
  }

  /// A character of several bytes.
  private static func character(_ bytes: ArraySlice<UInt8>) -> (length: Int, key: Key?)? {
    let length = bytes.first.map { $0 < 0xE0 ? 2 : $0 < 0xF0 ? 3 : 4 } ?? 1
    let continuation = bytes.dropFirst().prefix(length - 1).prefix { (0x80...0xBF).contains($0) }
    if continuation.count < min(length, bytes.count) - 1 { return (1 + continuation.count, nil) }
    guard bytes.count >= length else { return nil }
    let text = String(decoding: bytes.prefix(length), as: UTF8.self)
    return (length, text.count == 1 ? text.first.map(Key.character) : nil)
  }
}
#endif
