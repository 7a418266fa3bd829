// SPDX-License-Identifier: MIT
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

func router(_ library: Library) -> Router<BasicRequestContext> {
  let router = Router()
  router.get("live.css") { _, _ in response(PackageResources.live_css, "text/css") }
  router.get("live.js") { _, _ in response(PackageResources.live_js, "text/javascript") }
  router.get("/") { request, _ in
    try checkHost(request)
    let values = fields(request.uri.query ?? "")
    let isLive = request.headers[.live] != nil
    let visitor = try await library.visitor(values["w"] ?? "", orNew: !isLive)
    await visitor.visit(Location(values), isTyped: isLive)
    if isLive { return Response(status: .noContent) }
    await visitor.settle()
    return response(Array(await visitor.page().html.utf8), "text/html")
  }
  router.get("journal") { request, _ in
    try checkHost(request)
    let visitor = try await library.visitor(fields(request.uri.query ?? "")["w"] ?? "")
    // The page has its style and its script in it, and says itself that it requests nothing.
    return response(
      Array(await visitor.journalPage.utf8), "text/html",
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'")
  }
  router.post("do") { request, _ in
    try checkHost(request)
    let values = fields(String(buffer: try await request.body.collect(upTo: 32_768)))
    let isLive = request.headers[.live] != nil
    let visitor = try await library.visitor(values["w"] ?? "")
    guard values["token"] == visitor.token else { throw HTTPError(.forbidden) }
    let isStored = await visitor.perform(values)
    if isLive {
      return Response(status: isStored ? .noContent : .init(code: 507, reasonPhrase: "Insufficient Storage"))
    }
    return Response(status: .seeOther, headers: [.location: await visitor.location.link(visitor.id)])
  }
  router.get("events") { request, _ in
    try checkHost(request)
    let visitor = try await library.visitor(fields(request.uri.query ?? "")["w"] ?? "")
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: events(of: visitor, request.body))
  }
  return router
}

/// Ids and HTML of the regions that have changed, whenever the reader is ready for them.
private func events(of visitor: Visitor, _ body: RequestBody) -> ResponseBody {
  ResponseBody { writer in
    visitor.windows.noteOpen()
    try await body.consumeWithCancellationOnInboundClose { _ in
      var sent = Page.Sent()
      for await _ in visitor.windows.stream() {
        let patch = await visitor.page().changes(since: &sent).map { [$0.id, $0.html] }
        let text = patch.isEmpty ? ":" : "data: " + String(decoding: try JSONEncoder().encode(patch), as: UTF8.self)
        try await writer.write(ByteBuffer(string: text + "\n\n"))
      }
    }
    try await writer.finish(nil)
  }
}

/// A page of another site cannot have its name resolved to this machine and read it.
private func checkHost(_ request: Request) throws {
  let host = request.head.authority?.split(separator: ":").first
  guard host == "127.0.0.1" || host == "localhost" else { throw HTTPError(.misdirectedRequest) }
}

private func response(_ bytes: [UInt8], _ type: String, _ sources: String = "default-src 'self'") -> Response {
  Response(
    status: .ok,
    headers: [
      .contentType: "\(type); charset=utf-8", .cacheControl: "no-store",
      .contentSecurityPolicy: "\(sources); frame-ancestors 'none'", .xContentTypeOptions: "nosniff",
      .init("Referrer-Policy")!: "no-referrer",
    ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
}

extension HTTPField.Name {
  /// Sent by the script, which needs no page as the answer.
  static let live = HTTPField.Name("X-Live")!
}
