// SPDX-License-Identifier: MIT
/// Guards a search by key: hashing and comparing keys is code of the user's, which must not use what is being searched.
final class KeySearch {
  private var isSearching = false
  private let message: () -> String

  /// - Parameter message: The text that the process stops with.
  init(_ message: @escaping () -> String) {
    self.message = message
  }

  /// Calls code that hashes and compares keys.
  @inline(__always)
  func search<Result>(_ body: () throws -> Result) rethrows -> Result {
    stopIfSearching()
    isSearching = true
    defer { isSearching = false }
    return try body()
  }

  /// Stops if that code has led here.
  @inline(__always)
  func stopIfSearching() {
    if isSearching { stop() }
  }

  @inline(never)
  private func stop() -> Never { fatalError(message()) }
}
