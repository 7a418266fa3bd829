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
    let values = try fields(of: request)
    let isLive = request.headers[.live] != nil
    let id = UUID(uuidString: values["w"] ?? "")?.uuidString ?? UUID().uuidString
    let visitor = try await library.visitor(id, orNew: !isLive)
    await visitor.visit(Location(values), isTyped: isLive)
    if isLive { return Response(status: .noContent) }
    await visitor.settle()
    return response(Array(await visitor.page(isPlain: true).html.utf8), "text/html")
  }
  router.get("journal") { request, _ in
    let visitor = try await library.visitor(try fields(of: request)["w"] ?? "")
    // The page has its style and its script in it, and says itself that it requests nothing.
    return response(
      Array(await visitor.journalPage.utf8), "text/html",
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'")
  }
  router.post("do") { request, _ in
    try checkHost(request)
    let values = fields(String(buffer: try await request.body.collect(upTo: 1 << 20)))
    let visitor = try await library.visitor(values["w"] ?? "")
    // No page of another site can send the field of the script.
    let isLive = request.headers[.live] != nil
    guard isLive || values["token"] == visitor.token else { throw HTTPError(.forbidden) }
    do {
      try await visitor.perform(values)
      if isLive { return Response(status: .noContent) }
    } catch {
      if isLive {
        let status = error is Refusal ? HTTPResponse.Status.unprocessableContent : .init(code: 507)
        return Response(status: status, body: ResponseBody(byteBuffer: ByteBuffer(string: "\(error)")))
      }
      await visitor.didRefuse(values, error)
    }
    return Response(status: .seeOther, headers: [.location: await visitor.location.link(visitor.id)])
  }
  router.get("events") { request, _ in
    let values = try fields(of: request)
    let visitor = try await library.visitor(values["w"] ?? "", orNew: true)
    if let page = values["page"], page != visitor.id { await library.end(page) }
    await visitor.visit(Location(values), isTyped: true)
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: events(of: visitor, request.body))
  }
  router.get("**") { request, _ in
    try checkHost(request)
    var page = response(Array(Page.unknown.utf8), "text/html")
    page.status = .notFound
    return page
  }
  return router
}

/// What differs in the page, whenever the reader is ready for it.
private func events(of visitor: Visitor, _ body: RequestBody) -> ResponseBody {
  ResponseBody { writer in
    visitor.windows.noteOpen()
    try await body.consumeWithCancellationOnInboundClose { _ in
      var sent = Page.Sent()
      for await _ in visitor.windows.stream() {
        // An empty patch, too: from it the reader knows that the line is not down.
        let patch = try JSONEncoder().encode(await visitor.page().changes(since: &sent))
        try await writer.write(ByteBuffer(string: "data: \(String(decoding: patch, as: UTF8.self))\n\n"))
      }
    }
    try await writer.finish(nil)
  }
}

private func fields(of request: Request) throws -> [String: String] {
  try checkHost(request)
  return fields(request.uri.query ?? "")
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
