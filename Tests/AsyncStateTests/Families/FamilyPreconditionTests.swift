// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux) || os(Windows)
  import AsyncState
  import Testing

  extension AllTests {
    /// Keys and tags that no table can hold.
    struct FamilyPreconditionTests {
      enum Mistake: String, Codable, CaseIterable {
        case unequal, object, structure, hash, comparison, comparisonAtRemoval, tag

        var message: String {
          switch self {
          case .unequal: "of type Double, is not equal to itself"
          case .object: "of type Name, has changed since its entry was made"
          case .structure: "of type Wrapped, has changed since its entry was made"
          case .hash, .comparison, .comparisonAtRemoval: "used the family of the key"
          case .tag: "used the tag's board"
          }
        }

        @MainActor func make() {
          switch self {
          case .unequal: _ = AsyncFamily<Double, Int> { _ in 1 }[.nan]
          case .object:
            let family = AsyncFamily<Name, Int>(keepUnused: .max) { _ in 1 }
            for number in 0..<100 {
              let name = Name("\(number)")
              _ = family[name]
              name.text += "changed"
              _ = family[name]
            }
          case .structure:
            // Found when the entries are removed.
            let family = AsyncFamily<Wrapped, Int>(keepUnused: .max) { _ in 1 }
            for number in 0..<100 {
              let name = Name("\(number)")
              _ = family[Wrapped(name: name)]
              name.text += "changed"
            }
            family.trim(toIdle: 0)
          case .hash:
            let family = AsyncFamily<Meddler, Int> { _ in 1 }
            let key = Meddler()
            key.meddle = { _ = family.existing(key) }
            _ = family[key]
          case .comparison, .comparisonAtRemoval:
            let family = AsyncFamily<Comparer, Int>(keepUnused: 5) { _ in 1 }
            _ = family[Comparer()]
            Comparer.meddle = { key in
              if self == .comparison { _ = family[key] } else { family.trim(toIdle: 0) }
            }
            _ = family[Comparer()]
          case .tag:
            let board = AsyncTagBoard()
            MeddlingTag.meddle = { board.invalidate("other") }
            board.invalidate(AsyncTag(MeddlingTag()))
          }
        }
      }

      @Test(
        "1.9, 10.1 a key whose hash uses its family stops, and one that is not equal to itself or has changed: with a message"
      )
      func stops() async {
        for mistake in Mistake.allCases {
          let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [mistake = mistake as Mistake] in
            await mistake.make()
          }
          expectEqual(result?.errorText.contains(mistake.message), true, "\(mistake)")
        }
      }

      @Test("1.1 an entry of the main actor whose source would be made on another actor stops")
      func sourceElsewhere() async {
        await #expect(processExitsWith: .failure) {
          actor Server {
            lazy var rates = AsyncFamily<Int, Int> { key in .value { key } }
            func use() { _ = rates[1] }
          }
          await Server().use()
        }
      }

      private final class Name: Hashable, Sendable {
        nonisolated(unsafe) var text: String
        init(_ text: String) { self.text = text }
        static func == (lhs: Name, rhs: Name) -> Bool { lhs.text == rhs.text }
        func hash(into hasher: inout Hasher) { hasher.combine(text) }
      }

      private struct Wrapped: Hashable {
        let name: Name
      }

      @MainActor
      private final class Meddler: @MainActor Hashable {
        var meddle: () -> Void = {}
        static func == (lhs: Meddler, rhs: Meddler) -> Bool { lhs === rhs }
        func hash(into hasher: inout Hasher) { meddle() }
      }

      @MainActor
      private final class Comparer: @MainActor Hashable {
        static var meddle: (Comparer) -> Void = { _ in }
        static func == (lhs: Comparer, rhs: Comparer) -> Bool {
          meddle(lhs)
          return lhs === rhs
        }
        func hash(into hasher: inout Hasher) {}
      }

      private struct MeddlingTag: Hashable, Sendable {
        nonisolated(unsafe) static var meddle: () -> Void = {}
        func hash(into hasher: inout Hasher) { Self.meddle() }
      }
    }
  }
#endif
