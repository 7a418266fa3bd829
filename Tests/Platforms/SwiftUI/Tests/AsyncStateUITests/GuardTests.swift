// SPDX-License-Identifier: MIT
import Foundation
import Testing

struct GuardTests {
  // Tests/Platforms/SwiftUI/Tests/AsyncStateUITests/GuardTests.swift
  private static let adapters = (0..<5).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    .appending(path: "Sources/AsyncStateUI")

  // Tests/mutate copies the tests without the library's own folder.
  @Test(
    "15 each file of the adapters is guarded by canImport, so the module is empty where no framework is",
    .enabled(if: FileManager.default.fileExists(atPath: adapters.path)))
  func guards() throws {
    let files = try #require(FileManager.default.enumerator(at: Self.adapters, includingPropertiesForKeys: nil))
      .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    #expect(files.count > 10)
    for file in files {
      let code = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("//") }
      #expect(
        code.isEmpty
          || code[0].hasPrefix("#if canImport(") && code.last == "#endif"
            && !code.dropFirst().dropLast().contains { $0.hasPrefix("#") || !$0.hasPrefix(" ") && !$0.isEmpty },
        "\(file.lastPathComponent)")
    }
  }
}
