// SPDX-License-Identifier: MIT
import Foundation

/// A socket in the file system: a client sends one line, and the server answers with another.
public struct Socket {
  public struct Failed: Error {}

  private let descriptor: Int32

  private init() throws {
    #if os(Linux)
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw Failed() }
  }

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  private static func withAddress<Result>(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8.prefix($0.count - 1)) + [0]) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }

  /// Calls `answer` with each line that a client sends, for ever.
  public static func listen(at path: String, _ answer: (String) -> String) throws {
    let server = try Socket()
    guard withAddress(path, { bind(server.descriptor, $0, $1) }) == 0, Foundation.listen(server.descriptor, 64) == 0
    else { throw Failed() }
    FileHandle.standardOutput.write(Data("listening\n".utf8))
    while true {
      let client = Socket(accept(server.descriptor, nil, nil))
      defer { client.close() }
      guard let line = client.readLine() else { continue }
      client.write(answer(line) + "\n")
    }
  }

  /// Sends a line.
  ///
  /// - Returns: The answer.
  public static func request(_ line: String, at path: String) throws -> String {
    let client = try Socket()
    defer { client.close() }
    guard withAddress(path, { connect(client.descriptor, $0, $1) }) == 0 else { throw Failed() }
    client.write(line + "\n")
    guard let answer = client.readLine() else { throw Failed() }
    return answer
  }

  private func close() {
    _ = Foundation.close(descriptor)
  }

  private func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Nil if the other side has ended before the line did.
  private func readLine() -> String? {
    var line: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while line.last != UInt8(ascii: "\n") {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      line += buffer[..<count]
    }
    return String(decoding: line.dropLast(), as: UTF8.self)
  }
}
