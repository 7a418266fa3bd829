// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux) || os(Windows)
  import AsyncState
  import Testing

  extension AllTests {
    struct FamilyPreconditionTests {
      @Test("10.1 a key that is not equal to itself stops with a message that names its type")
      func unequalKey() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          @MainActor func run() {
            let family = AsyncFamily<Double, Int> { _ in 1 }
            _ = family[.nan]
          }
          await run()
        }
        expectEqual(result?.errorText.contains("of type Double, is not equal to itself"), true)
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

      @Test("10.1 a key object whose hash value has changed stops with a message when it is looked for")
      func changedKey() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          @MainActor func run() {
            let family = AsyncFamily<Name, Int>(keepUnused: .max) { _ in 1 }
            for number in 0..<100 {
              let name = Name("\(number)")
              _ = family[name]
              name.text += "changed"
              _ = family[name]
            }
          }
          await run()
        }
        expectEqual(result?.errorText.contains("of type Name, has changed since its entry was made"), true)
      }

      private struct Wrapped: Hashable {
        let name: Name
      }

      @Test("10.1 a key with a hash value that has changed stops with a message when its entry is removed")
      func changedStructure() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          @MainActor func run() {
            let family = AsyncFamily<Wrapped, Int>(keepUnused: .max) { _ in 1 }
            for number in 0..<100 {
              let name = Name("\(number)")
              _ = family[Wrapped(name: name)]
              name.text += "changed"
            }
            family.trim(toIdle: 0)
          }
          await run()
        }
        expectEqual(result?.errorText.contains("of type Wrapped, has changed since its entry was made"), true)
      }

      @MainActor
      private final class Meddler: @MainActor Hashable {
        var meddle: () -> Void = {}
        static func == (lhs: Meddler, rhs: Meddler) -> Bool { lhs === rhs }
        func hash(into hasher: inout Hasher) { meddle() }
      }

      @Test("1.9 a key whose hash uses its family stops with a message")
      func meddlingKey() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          @MainActor func run() {
            let family = AsyncFamily<Meddler, Int> { _ in 1 }
            let key = Meddler()
            key.meddle = { _ = family.existing(key) }
            _ = family[key]
          }
          await run()
        }
        expectEqual(result?.errorText.contains("used the family of the key"), true)
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

      @Test("1.9 a key whose == uses its family stops with a message", arguments: [false, true])
      func comparingKey(removes: Bool) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [removes] in
          @MainActor func run() {
            let family = AsyncFamily<Comparer, Int>(keepUnused: 5) { _ in 1 }
            _ = family[Comparer()]
            Comparer.meddle = { key in if removes { family.trim(toIdle: 0) } else { _ = family[key] } }
            _ = family[Comparer()]
          }
          await run()
        }
        expectEqual(result?.errorText.contains("used the family of the key"), true)
      }

      private struct MeddlingTag: Hashable, Sendable {
        nonisolated(unsafe) static var meddle: () -> Void = {}
        func hash(into hasher: inout Hasher) { Self.meddle() }
      }

      @Test("1.9 a tag whose hash uses its board stops with a message")
      func meddlingTag() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          @MainActor func run() {
            let board = AsyncTagBoard()
            MeddlingTag.meddle = { board.invalidate("other") }
            board.invalidate(AsyncTag(MeddlingTag()))
          }
          await run()
        }
        expectEqual(result?.errorText.contains("used the tag's board"), true)
      }
    }
  }
#endif
