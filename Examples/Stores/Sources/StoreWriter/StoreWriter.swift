// SPDX-License-Identifier: MIT
import AsyncState
import Foundation
import Stores

#if DATABASE
  import GRDB
#endif

/// Writes one value after another, and prints the number of each when it is stored, until it is killed.
@main
struct StoreWriter {
  static func main() async throws {
    let (kind, path) = (CommandLine.arguments[1], CommandLine.arguments[2])
    let store = try makeStore(kind, path)
    for number in 1... {
      try await store.save([1: StoredValue(text(number), age: .zero)], removing: [], isolation: nil)
      try FileHandle.standardOutput.write(contentsOf: Data("\(number)\n".utf8))
    }
  }

  /// A value that shows whether it is whole: its number, many times.
  private static func text(_ number: Int) -> String { String(repeating: "\(number),", count: 100_000) }

  private static func makeStore(_ kind: String, _ path: String) throws -> any ValueStore<Int, String> & Sendable {
    #if DATABASE
      if kind == "database" {
        let database = try DatabasePool(path: path)
        try StoreSchema.prepare(database)
        return DatabaseStore<Int, String>(database, family: "texts")
      }
    #endif
    return try FileStore<Int, String>(in: URL(fileURLWithPath: path))
  }
}
