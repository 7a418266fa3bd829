// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// Makes text that may be printed of text that may contain anything.
///
/// Whatever could move the cursor, turn the line round or hide in it is shown as an escape: control and format
/// characters, combining marks with nothing to combine with, bytes that are no UTF-8.
enum PrintableText {
  /// The printable form of bytes that are meant to be UTF-8.
  static func of(_ bytes: some Collection<UInt8>) -> String {
    var printable = ""
    var text = String.UnicodeScalarView()
    var rest = bytes.makeIterator()
    var position = bytes.startIndex
    var parser = UTF8.ForwardParser()
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded):
        text.append(UTF8.decode(encoded))
        bytes.formIndex(&position, offsetBy: encoded.count)
      case .error(let length):
        let end = bytes.index(position, offsetBy: length)
        printable += of(String(text)) + bytes[position..<end].map(escape).joined()
        text = String.UnicodeScalarView()
        position = end
      case .emptyInput:
        return printable + of(String(text))
      }
    }
  }

  /// The printable form of a text.
  static func of(_ text: String) -> String {
    text.reduce(into: "") { printable, character in
      for scalar in character.unicodeScalars {
        if scalar.isPrintable(in: character) {
          printable.unicodeScalars.append(scalar)
        } else {
          printable += scalar.escaped(asASCII: true)
        }
      }
    }
  }

  private static func escape(_ byte: UInt8) -> String {
    "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}

extension Unicode.Scalar {
  /// Whether it shows as what it is, as a part of `character`.
  fileprivate func isPrintable(in character: Character) -> Bool {
    let isFirst = self == character.unicodeScalars.first
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned:
      return false
    case .nonspacingMark, .enclosingMark:
      // A variation selector chooses between two looks of what it follows.
      return !isFirst && (!properties.isDefaultIgnorableCodePoint || properties.isVariationSelector)
    case .format:
      // Joiners and tags belong to some emoji.
      return !isFirst && character.isEmoji
    default:
      return !properties.isDefaultIgnorableCodePoint
    }
  }
}
#endif
