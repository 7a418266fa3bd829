// SPDX-License-Identifier: MIT
/// The first difference between two traces, as lines or words with their surroundings.
struct TraceDifference {
  private let expected: [String]
  private let recorded: [String]
  /// How many are the same at the beginning.
  let place: Int

  /// Nil if there is none.
  init?(expected: [String], recorded: [String]) {
    guard expected != recorded else { return nil }
    self.expected = expected
    self.recorded = recorded
    place = zip(expected, recorded).prefix { $0 == $1 }.count
  }

  /// The parts that differ; nil for the end of a trace.
  var parts: (expected: String?, recorded: String?) {
    (place < expected.count ? expected[place] : nil, place < recorded.count ? recorded[place] : nil)
  }

  /// Both traces around the difference.
  ///
  /// - Parameters:
  ///   - names: What the traces are called.
  ///   - mark: Marks what differs; the end of a trace is nil.
  ///   - separator: Between the parts of a trace.
  func text(
    names: (expected: String, recorded: String), context: Int, separator: String, mark: (String?) -> String
  ) -> String {
    func surroundings(_ parts: [String]) -> String {
      let before = parts[max(0, place - context)..<place]
      let after = parts.dropFirst(place + 1).prefix(context)
      let marked = mark(place < parts.count ? parts[place] : nil)
      let texts =
        (place > context ? ["…"] : []) + before + [marked] + after + (parts.count > place + context + 1 ? ["…"] : [])
      return texts.joined(separator: separator)
    }
    return "\(names.expected)\(surroundings(expected))\n\(names.recorded)\(surroundings(recorded))"
  }
}
