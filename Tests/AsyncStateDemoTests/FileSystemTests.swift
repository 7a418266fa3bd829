// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import Foundation
import Testing

@testable import AsyncStateDemo

@Suite("Files")
struct FileSystemTests {
  @Test("What is no regular file is not read, even if it is open: a pipe keeps its data for its reader")
  func pipes() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    #expect(write(ends[1], "kept", 4) == 4)
    #expect(try FileSystem.preview(of: ends[0], at: FilePath(Array("/pipe".utf8))) == "not a regular file")
    var bytes = [UInt8](repeating: 0, count: 8)
    #expect(read(ends[0], &bytes, 8) == 4)
    #expect(bytes.prefix(4) == Array("kept".utf8)[...])
  }
}
#endif
