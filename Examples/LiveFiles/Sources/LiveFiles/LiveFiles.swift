// SPDX-License-Identifier: MIT
import AsyncState
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Stores

/// The visitors, and what their outboxes have left.
actor Library {
  private let files: Files
  private let store: MarkStore
  private var visitors: [String: Visitor] = [:]
  private var stamps: [String: Date] = [:]
  private lazy var left = AsyncMutation<MarkChange, Void>(
    isolation: self, outbox: DatabaseOutboxStore<MarkChange>(store.database, name: "left"), lane: { $0.path },
    isPermanent: { _ in false }
  ) { [store] change, request in try await store.apply(change, key: request.idempotencyKey) }

  init(files: Files, store: MarkStore) { (self.files, self.store) = (files, store) }

  func visitor(_ id: String) -> Visitor? { visitors[id] }

  func newVisitor() async throws -> Visitor {
    guard visitors.count < 5_000 else { throw HTTPError(.serviceUnavailable) }
    let visitor = Visitor(files: files, store: store) { [weak self] in await self?.changed($0) }
    visitors[visitor.id] = visitor
    await visitor.begin()
    return visitor
  }

  private func changed(_ change: MarkChange) async {
    for visitor in visitors.values { await visitor.invalidate(AsyncTag("mark", change.path)) }
  }

  /// Once a second: sessions that were left end, and folders that changed on disk are invalidated for every visitor.
  func watch() async throws {
    await left.resume()
    while true {
      try await Task.sleep(for: .seconds(1))
      var shown: Set<String> = []
      for (id, visitor) in visitors {
        if await visitor.isAbandoned(for: .seconds(60)) {
          visitors[id] = nil
          await visitor.end()
          await left.resume()
        } else {
          shown.insert(await visitor.folder)
        }
      }
      let current = Dictionary(uniqueKeysWithValues: shown.map { ($0, files.stamp(of: $0)) }).compactMapValues { $0 }
      for (folder, stamp) in current where stamps[folder].map({ $0 != stamp }) == true {
        for visitor in visitors.values { await visitor.invalidate(AsyncTag("folder", folder)) }
      }
      stamps = current
    }
  }
}

@main
struct LiveFiles {
  static func main() async throws {
    var (folder, port) = (".", 8080)
    var arguments = CommandLine.arguments.dropFirst()
    while let name = arguments.popFirst() {
      switch (name, arguments.popFirst()) {
      case ("--folder", let value?): folder = value
      case ("--port", let value?) where UInt16(value) != nil: port = Int(value) ?? port
      default: throw Refusal(description: "LiveFiles [--folder PATH] [--port N]")
      }
    }
    let files = try Files(root: folder)
    let library = Library(files: files, store: try MarkStore(at: files.root + "/.livefiles.sqlite"))
    let application = Application(
      router: routes(library), configuration: .init(address: .hostname("127.0.0.1", port: port)))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await library.watch() }
      group.addTask { try await application.runService() }
      try await group.next()
      group.cancelAll()
    }
  }

  private static func routes(_ library: Library) -> Router<BasicRequestContext> {
    let router = Router()
    router.get("style.css") { _, _ in response(style, "text/css") }
    router.get("live.js") { _, _ in response(script, "text/javascript") }
    router.get("/") { request, _ in
      try checkHost(request)
      let values = decode(request.uri.query ?? "")
      if let visitor = await library.visitor(values["w"] ?? "") {
        await visitor.visit(values)
        if request.headers[.live] != nil { return Response(status: .noContent) }
        await visitor.settle()
        return response(await visitor.page().html, "text/html")
      }
      if request.headers[.live] != nil { throw HTTPError(.gone) }
      let visitor = try await library.newVisitor()
      await visitor.visit(values)
      await visitor.settle()
      return response(await visitor.page().html, "text/html")
    }
    router.post("do") { request, _ in
      try checkHost(request)
      let body = try await request.body.collect(upTo: 32_768)
      let values = decode(String(buffer: body))
      guard let visitor = await library.visitor(values["w"] ?? "") else { throw HTTPError(.gone) }
      guard values["token"] == visitor.token else { throw HTTPError(.forbidden) }
      await visitor.perform(values)
      if request.headers[.live] != nil { return Response(status: .noContent) }
      let back = ["w", "folder", "q", "file", "journal"].compactMap { key in
        values[key]?.addingPercentEncoding(withAllowedCharacters: .alphanumerics).map { "\(key)=\($0)" }
      }
      return Response(status: .seeOther, headers: [.location: "/?" + back.joined(separator: "&")])
    }
    router.get("events") { request, _ in
      try checkHost(request)
      guard let visitor = await library.visitor(decode(request.uri.query ?? "")["w"] ?? "") else {
        throw HTTPError(.gone)
      }
      let body = request.body
      return Response(
        status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
        body: ResponseBody { writer in
          let (key, changes) = await visitor.makeStream()
          do {
            try await body.consumeWithInboundCloseHandler { _ in
              var sent: [String: String] = [:]
              // A reader that does not read holds one change: the newest.
              for await _ in changes {
                let regions = await visitor.page().regions
                let patch = regions.filter { sent[$0.key] != $0.value }
                sent = regions
                if patch.isEmpty { continue }
                let text = String(decoding: try JSONEncoder().encode(patch), as: UTF8.self)
                try await writer.write(ByteBuffer(string: "data: \(text)\n\n"))
              }
            } onInboundClosed: {
              Task { await visitor.endStream(key) }
            }
          } catch {}
          await visitor.endStream(key)
          try await writer.finish(nil)
        })
    }
    return router
  }

  /// A page of another site cannot have its name resolved to this machine and read it.
  private static func checkHost(_ request: Request) throws {
    let host = request.head.authority?.split(separator: ":").first
    guard host == "127.0.0.1" || host == "localhost" else { throw HTTPError(.misdirectedRequest) }
  }

  /// Fields of a query or a form; the first of a name counts.
  private static func decode(_ text: String) -> [String: String] {
    Dictionary(
      text.split(separator: "&").map { field in
        let parts = field.split(separator: "=", maxSplits: 1).map {
          $0.replacing("+", with: " ").removingPercentEncoding ?? ""
        }
        return (parts.first ?? "", parts.count > 1 ? parts[1] : "")
      }, uniquingKeysWith: { first, _ in first })
  }

  private static func response(_ text: String, _ type: String) -> Response {
    Response(
      status: .ok,
      headers: [
        .contentType: "\(type); charset=utf-8", .cacheControl: "no-store",
        .contentSecurityPolicy: "default-src 'self'; frame-ancestors 'none'",
        .init("Referrer-Policy")!: "no-referrer",
      ], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}

extension HTTPField.Name {
  /// Sent by the script, which needs no page as the answer.
  static let live = HTTPField.Name("X-Live")!
}
