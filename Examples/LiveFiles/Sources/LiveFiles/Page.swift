// SPDX-License-Identifier: MIT
import AsyncState

/// What a window displays, as values, and as HTML in regions that are replaced by their id.
struct Page: Sendable {
  struct Row: Sendable, Equatable {
    let entry: Entry
    let mark: Mark
    let summary: String?
    let target: Location
    let isCurrent: Bool
  }

  /// A part of the page with an id. The region of the list has empty rows, which are regions of their own.
  struct Region: Sendable { let id, html: String }

  let visitor, token: String
  let location: Location
  let own, everyone: Conditions
  var message = "", waiting = 0
  var journal: String?

  // What the visible children draw.
  var list = AsyncStatus<Void>.loading
  /// A refresh has failed: what is displayed is older.
  var listError: String?
  var hasMore = false, more = PageState()
  var rows: [Row] = []
  var detail = AsyncStatus<Details>.noData
  var selectedMark = Mark()
  /// A request runs for something that the page has a place for.
  var isRunning = false, isOffline = false

  mutating func setList(_ status: AsyncStatus<Void>, _ error: (any Error)?) {
    list = status
    if case .data = status { listError = error.map { "\($0)" } }
  }

  /// A request that waits for the network completes no page.
  mutating func note<Value>(_ snapshot: AsyncSnapshot<Value>) {
    if snapshot.isRunning, !snapshot.isWaiting { isRunning = true }
  }

  mutating func add(_ entry: Entry, _ mark: AsyncSnapshot<Mark>, _ summary: AsyncSnapshot<String>) {
    var target = location
    if entry.isFolder { target = Location(folder: entry.id) } else { target.file = entry.id }
    rows.append(
      Row(
        entry: entry, mark: mark.value ?? Mark(), summary: summary.value, target: target,
        isCurrent: entry.id == location.file))
    note(mark)
    note(summary)
  }

  var isComplete: Bool {
    isOffline || !isRunning && !more.isRunning && list.kind != .loading && detail.kind != .loading
  }

  // MARK: Regions

  /// What differs from what a window displays. Most rows are the same, and their HTML is not made again.
  func changes(since former: inout Sent) -> [Region] {
    let regions = others + [Region(id: "list", html: listing(rows.map { _ in "" }))]
    let html = Dictionary(uniqueKeysWithValues: regions.map { ($0.id, $0.html) })
    let shown = html["list"] == former.html["list"] ? former.rows : []
    defer { former = Sent(html: html, rows: rows) }
    return regions.filter { former.html[$0.id] != $0.html }
      + rows.enumerated().filter { !shown.indices.contains($0.offset) || shown[$0.offset] != $0.element }
      .map { Region(id: "r\($0.offset)", html: row($0.element, $0.offset)) }
  }

  /// What a window displays: HTML by id, and rows as values.
  struct Sent {
    var html: [String: String] = [:]
    var rows: [Row] = []
  }

  private var others: [Region] {
    [
      Region(id: "crumbs", html: crumbs), Region(id: "detail", html: details), Region(id: "status", html: status),
      Region(id: "own", html: conditions(own, "own", "This window")),
      Region(id: "everyone", html: conditions(everyone, "everyone", "Everyone")),
      Region(id: "journal", html: journalPanel),
    ]
  }

  /// A link to the same place but for one part.
  private func link(_ change: (inout Location) -> Void) -> String {
    var target = location
    change(&target)
    return escaped(target.link(visitor))
  }

  private func form(_ id: String, _ content: String) -> String {
    """
    <form id=\(id) method=post action=/do><input type=hidden name=w value="\(visitor)">\
    <input type=hidden name=token value="\(token)">\(content)</form>
    """
  }

  private func button(
    _ value: String, _ text: String, _ attributes: String = "", name: String = "do"
  ) -> String {
    "<button form=here name=\(name) value=\"\(escaped(value))\"\(attributes)>\(text)</button>"
  }

  private func problem(_ text: String, _ command: String) -> String {
    "<div class=problem role=alert><p>\(escaped(text))</p>\(button(command, "Try again"))</div>"
  }

  private func loading(_ name: String = "") -> String { "<p class=loading role=status>Loading \(escaped(name)) …</p>" }

  private static let waiting = "<p class=empty role=status>Waiting for the network …</p>"

  private static let idle = "<p class=empty>This was not loaded.</p>"

  private var crumbs: String {
    var path = Path("")
    let parts = location.folder.text.split(separator: "/").map { part in
      path = path.appending(String(part))
      return " / <a href=\"\(escaped(Location(folder: path).link(visitor)))\">\(escaped(String(part)))</a>"
    }
    return "<a href=\"\(escaped(Location().link(visitor)))\">Files</a>" + parts.joined()
  }

  private func listing(_ rows: [String]) -> String {
    switch list {
    case .loading: return loading()
    case .error(let error): return problem("\(error)", "reload")
    case .waiting: return Self.waiting
    case .idle: return Self.idle
    case .noData: return "<p class=empty>\(location.query == nil ? "This folder is empty." : "Nothing found.")</p>"
    case .data:
      let items = rows.enumerated().map { "<li id=r\($0.offset)>\($0.element)</li>" }
      return (listError.map { problem("Not refreshed: \($0)", "refresh") } ?? "") + "<ul>\(items.joined())</ul>"
        + (more.error.map { "<p class=problem role=alert>\(escaped("\($0)"))</p>" } ?? "")
        + (hasMore ? button("more", more.isRunning ? "Loading …" : "More", " id=more") : "")
    }
  }

  private func row(_ row: Row, _ number: Int) -> String {
    let (entry, mark, name) = (row.entry, row.mark, escaped(row.entry.id.name))
    let star = button(
      entry.id.text, mark.isFavourite ? "★" : "☆",
      " class=star id=s\(number) aria-pressed=\(mark.isFavourite) aria-label=\"Favourite \(name)\"",
      name: mark.isFavourite ? "unfavourite" : "favourite")
    return """
      <a id=a\(number) href="\(escaped(row.target.link(visitor)))"\(row.isCurrent ? " aria-current=true" : "")>\
      <i aria-hidden=true>\(entry.isFolder ? "▸" : "·")</i><span>\(name)</span><small>\(escaped(mark.note))</small>\
      <small class=size>\(row.summary ?? "…")</small></a>\(star)
      """
  }

  private var details: String {
    guard let file = location.file else { return "<p class=empty>Select a file.</p>" }
    switch detail {
    case .loading: return loading(file.name)
    case .error(let error): return "<h2>\(escaped(file.name))</h2>" + problem("\(error)", "reload details")
    case .waiting: return "<h2>\(escaped(file.name))</h2>" + Self.waiting
    case .idle: return Self.idle
    case .noData: return "<p class=empty>There is nothing to display.</p>"
    case .data(let details):
      let text =
        "<h2>\(escaped(details.path.name))</h2><p>\(details.summary)</p>"
        + (details.preview.isEmpty ? "" : "<pre tabindex=0>\n\(escaped(details.preview))</pre>")
      // Until the next file is there the former one is displayed.
      guard details.path == file else { return (isOffline ? Self.waiting : loading(file.name)) + text }
      return text
        + form(
          "noting",
          """
          <input type=hidden name=path value="\(escaped(file.text))"><label for=note>Note</label>\
          <textarea id=note name=note data-of="\(escaped(file.text))" rows=3>\n\(escaped(selectedMark.note))</textarea>\
          <button id=save name=do value=note>Save</button>
          """)
    }
  }

  private var status: String {
    let changes = "\(waiting) change\(waiting == 1 ? "" : "s") waiting. "
    return (waiting > 0 ? changes + button("send", "Send now", " id=send") + " " : "")
      + (isOffline ? "Offline. " : "") + escaped(message)
  }

  private func conditions(_ conditions: Conditions, _ command: String, _ title: String) -> String {
    let boxes = [
      ("failing", conditions.isFailing), ("hanging", conditions.isHanging), ("offline", conditions.isOffline),
    ]
    .map { "<label><input type=checkbox name=\($0) value=1\($1 ? " checked" : "")> \($0.capitalized)</label>" }
    return form(
      "backend-\(command)",
      """
      <fieldset><legend>\(title)</legend>\
      <label>Lag <input name=lag size=3 inputmode=numeric value=\(conditions.lag)> ms</label> \
      \(boxes.joined(separator: " ")) <button name=do value=\(command)>Set</button></fieldset>
      """)
  }

  private var journalPanel: String {
    guard let journal else { return "<a id=panel href=\"\(link { $0.showsJournal = true })\">Show the journal</a>" }
    return """
      <a id=panel href="\(link { $0.showsJournal = false })">Hide the journal</a> \
      <a id=whole href="journal?w=\(escaped(visitor))" target=_blank>The whole journal</a>\
      <div class=entries tabindex=0 role=log aria-label=Journal><pre>\(escaped(journal))</pre></div>
      """
  }

  // MARK: The whole page

  /// The template with these values in one pass: a value that looks like a place stays as it is.
  var html: String {
    var values = Dictionary(uniqueKeysWithValues: others.map { ($0.id, $0.html) })
    values["list"] = listing(rows.enumerated().map { row($0.element, $0.offset) })
    values["here"] = form("here", "")
    values["visitor"] = visitor
    values["folder"] = escaped(location.folder.text)
    values["query"] = escaped(location.query ?? "")
    // Without JavaScript the page is requested again while something is missing.
    values["again"] = isComplete ? "" : "<noscript><meta http-equiv=refresh content=1></noscript>"
    return Self.template.map { $0.isPlace ? values[$0.text] ?? "" : $0.text }.joined()
  }

  /// Text and places, in turn: a place stands in braces.
  private static let template = String(decoding: PackageResources.page_html, as: UTF8.self)
    .split(separator: /[{}]/, omittingEmptySubsequences: false)
    .enumerated().map { (text: String($0.element), isPlace: !$0.offset.isMultiple(of: 2)) }
}
