// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import Foundation

/// A name in a folder: bytes, as the file system has them, be they text or not.
struct FileName: Hashable, Sendable {
  let bytes: [UInt8]

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The name that is spelt like this.
  init(_ text: some StringProtocol) {
    self.init(bytes: Array(text.utf8))
  }
}

extension FileName: Comparable {
  /// In the order of the bytes, as `LC_ALL=C ls` lists them.
  static func < (left: FileName, right: FileName) -> Bool {
    // Not `lexicographicallyPrecedes`: a large folder compares a million times.
    let order = unsafe memcmp(left.bytes, right.bytes, min(left.bytes.count, right.bytes.count))
    return order == 0 ? left.bytes.count < right.bytes.count : order < 0
  }
}

extension FileName: ExpressibleByStringLiteral {
  init(stringLiteral text: String) {
    self.init(text)
  }
}

extension FileName: CustomStringConvertible {
  /// The name as it may be printed, whatever it is made of.
  var description: String { PrintableText.of(bytes) }
}
#endif
