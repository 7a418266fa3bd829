// SPDX-License-Identifier: MIT
import AsyncState
import Foundation

/// What a window displays, as values, and as HTML in regions that are replaced by their id.
struct Page: Sendable {
  struct Row: Sendable, Equatable {
    let entry: Entry
    let mark: Mark
    let summary: String?
    let target: Location
    let isCurrent: Bool
    /// Among results of a search: where the entry is.
    let folder: Path?
  }

  let visitor, token: String
  /// The page is read without JavaScript: each link and form says which visitor it belongs to.
  let isPlain: Bool
  let location: Location
  let own, everyone: Conditions
  var message = "", waiting = 0
  var journal: String?

  // What the visible children draw.
  var list = AsyncStatus<Void>.loading
  /// A refresh has failed: what is displayed is older.
  var listError, detailError: String?
  /// The selected file was there when it was read, and is not there any more.
  var isDeleted = false
  var hasMore = false, more = PageState()
  var rows: [Row] = []
  var detail = AsyncStatus<Details>.noData
  /// The mark of the selected file, if it is known.
  var selectedMark: Mark?
  var unsaved: String?
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
        isCurrent: entry.id == location.file, folder: location.query == nil ? nil : entry.id.folder))
    note(mark)
    note(summary)
  }

  var isComplete: Bool {
    isOffline || !isRunning && !more.isRunning && list.kind != .loading && detail.kind != .loading
  }

  // MARK: Regions

  /// A region by its id, or rows that take the place of others.
  struct Patch: Encodable {
    let id, html: String
    var rows: Range<Int>?

    func encode(to encoder: any Encoder) throws {
      var values = encoder.unkeyedContainer()
      try values.encode(contentsOf: [id, html])
      if let rows { try values.encode(contentsOf: [rows.lowerBound, rows.count]) }
    }
  }

  /// What a window displays: HTML by id, and rows as values.
  struct Sent {
    var html: [String: String] = [:]
    var rows: [Row]?
  }

  /// What differs from what a window displays. Of the list only the rows that are new, that differ, or are not there any more.
  func changes(since former: inout Sent) -> [Patch] {
    let regions = regions
    let old = former.rows ?? []
    let start = zip(old, rows).prefix { $0.entry.id == $1.entry.id }.count
    let end = zip(old[start...].reversed(), rows[start...].reversed()).prefix { $0.entry.id == $1.entry.id }.count
    let added = rows[start..<rows.count - end]
    // At first the window has the rows of the page, whatever they are.
    let removed = former.rows == nil ? 0..<Int(Int32.max) : start..<old.count - end
    var patches = regions.filter { former.html[$0.id] != $0.html }
    if !added.isEmpty || !removed.isEmpty {
      patches.append(Patch(id: "rows", html: added.map(item).joined(), rows: removed))
    }
    patches += zip(old[..<start] + old[(old.count - end)...], rows[..<start] + rows[(rows.count - end)...])
      .filter { $0 != $1 }.map { Patch(id: "r:\($1.entry.id.text)", html: content($1)) }
    former = Sent(html: Dictionary(uniqueKeysWithValues: regions.map { ($0.id, $0.html) }), rows: rows)
    return patches
  }

  private var regions: [Patch] {
    [
      ("title", (location.file.map { shown($0.name) + " – " } ?? "") + place + " – LiveFiles"), ("crumbs", crumbs),
      ("heading", heading), ("notice", notice), ("after", after),
      ("detail", details), ("noting", noting), ("status", status), ("own", conditions(own, "own", "This window")),
      ("everyone", conditions(everyone, "everyone", "Everyone")), ("journal", journalPanel),
    ].map { Patch(id: $0, html: $1) }
  }

  private func address(_ target: Location) -> String { escaped(target.link(isPlain ? visitor : nil)) }

  /// A link to the same place but for one part.
  private func link(_ change: (inout Location) -> Void) -> String {
    var target = location
    change(&target)
    return address(target)
  }

  private func form(_ id: String, _ content: String) -> String {
    let visitor = """
      <input type=hidden name=w value="\(visitor)"><input type=hidden name=token value="\(token)">
      """
    return "<form id=\(id) method=post action=/do>\(isPlain ? visitor : "")\(content)</form>"
  }

  private func button(
    _ value: String, _ text: String, _ attributes: String = "", name: String = "do"
  ) -> String {
    "<button form=here name=\(name) value=\"\(escaped(value))\"\(attributes)>\(text)</button>"
  }

  private func problem(_ text: String, _ command: String) -> String {
    "<div class=problem role=alert><p>\(escaped(text))</p>\(button(command, "Try again"))</div>"
  }

  private func loading(_ name: String = "", _ kind: String = "loading") -> String {
    "<p class=\(kind) role=status>Loading \(shown(name)) …</p>"
  }

  private static let waiting = "<p class=empty role=status>Waiting for the network …</p>"

  private static let idle = "<p class=empty>This was not loaded.</p>"

  // MARK: The list

  private var place: String {
    if let query = location.query { return "Search for “\(shown(query))”" }
    return location.folder.text.isEmpty ? "Files" : shown(location.folder.name)
  }

  /// What is opened has a heading whose id says what it is: it is given the focus.
  private var heading: String {
    let id = location.query.map { "h?\($0)" } ?? "h:\(location.folder.text)"
    return "<h1 id=\"\(escaped(id))\" tabindex=-1>\(place)</h1>"
  }

  private var crumbs: String {
    var path = Path("")
    let parts = location.folder.text.split(separator: "/").map { part in
      path = path.appending(String(part))
      return " / <a href=\"\(address(Location(folder: path)))\">\(shown(String(part)))</a>"
    }
    return "<a href=\"\(address(Location()))\">Files</a>" + parts.joined()
  }

  private var notice: String {
    switch list {
    case .loading: loading()
    case .error(let error): problem("\(error)", "reload")
    case .waiting: Self.waiting
    case .idle: Self.idle
    case .noData: "<p class=empty>\(location.query == nil ? "This folder is empty." : "Nothing found.")</p>"
    case .data: listError.map { problem("Not refreshed: \($0)", "refresh") } ?? ""
    }
  }

  private var after: String {
    (more.error.map { "<p class=problem role=alert>\(escaped("\($0)"))</p>" } ?? "")
      + (hasMore ? button("more", more.isRunning ? "Loading …" : "More", " id=more") : "")
  }

  private func item(_ row: Row) -> String { "<li id=\"r:\(escaped(row.entry.id.text))\">\(content(row))</li>" }

  private func content(_ row: Row) -> String {
    let (id, mark, name) = (escaped(row.entry.id.text), row.mark, shown(row.entry.id.name))
    let star = button(
      row.entry.id.text, mark.isFavourite ? "★" : "☆",
      " class=star id=\"s:\(id)\" aria-pressed=\(mark.isFavourite) aria-label=\"Favourite \(name)\"",
      name: mark.isFavourite ? "unfavourite" : "favourite")
    return """
      <a id="a:\(id)" href="\(address(row.target))"\(row.isCurrent ? " aria-current=true" : "")>\
      <i aria-hidden=true>\(row.entry.isFolder ? "▸" : "·")</i><span dir=auto>\(name)</span>\
      \(row.folder.map { "<small class=folder>in \(shown($0.description))</small>" } ?? "")\
      <small class=note>\(escaped(String(mark.note.prefix(200))))</small><small class=size>\(row.summary ?? "…")</small></a>\(star)
      """
  }

  // MARK: The selected file

  private var details: String {
    guard let file = location.file else { return "<p class=empty>Select a file.</p>" }
    return """
      <h2 id="d:\(escaped(file.text))" tabindex=-1>\(shown(file.name))</h2>\
      <a id=close href="\(link { $0.file = nil })">Close</a>\(detail(of: file))
      """
  }

  private func detail(of file: Path) -> String {
    switch detail {
    case .loading: return loading(file.name)
    case .error(let error): return problem("\(error)", "reload details")
    case .waiting: return Self.waiting
    case .idle: return Self.idle
    case .noData: return ""
    case .data(let details):
      let text =
        "<p>\(details.size), \(time(details.modified))</p>"
        + (details.preview.isEmpty ? "" : "<pre tabindex=0 aria-label=Preview>\n\(escaped(details.preview))</pre>")
      guard details.path == file else {
        // The host does not pace this: for a moment the former file stays, then it is displayed that the next one loads.
        return isOffline ? Self.waiting : loading(file.name, "late") + "<div class=former>\(text)</div>"
      }
      if isDeleted { return deleted(details) + text }
      return (detailError.map { problem("Not refreshed: \($0)", "refresh details") } ?? "") + text
    }
  }

  /// What was read of a file is the last that there is of it.
  private func deleted(_ details: Details) -> String {
    let bytes = details.preview.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let what = details.isWhole ? "its text" : "the beginning of its text"
    let offer = """
       <a id=rescue download="\(escaped(details.path.name))" href="data:text/plain;charset=utf-8,\(bytes)">Save \(what)</a>
      """
    return """
      <div class=problem role=alert><p>This file was deleted or moved. Below is what was read of it last.</p>\
      \(button("refresh details", "Look again"))\(details.preview.isEmpty ? "" : offer)</div>
      """
  }

  /// A time for people: that of the server, until the script writes it as the reader's.
  private func time(_ date: Date) -> String {
    var style = Date.FormatStyle(date: .long, time: .shortened, locale: Locale(identifier: "en_GB"))
    style.timeZone = .gmt
    return "<time datetime=\"\(date.formatted(.iso8601))\">\(date.formatted(style)) UTC</time>"
  }

  /// A region of its own: what happens to the details changes nothing in a text that is being written.
  private var noting: String {
    guard let file = location.file, let mark = selectedMark else { return "" }
    let (path, note) = (escaped(file.text), escaped(mark.note))
    return form(
      "note",
      """
      <input type=hidden name=path value="\(path)"><input type=hidden name=base value="\(note)">\
      <label for="note:\(path)">Note</label><textarea id="note:\(path)" name=note rows=4>
      \(unsaved.map(escaped) ?? note)</textarea><p id=unsaved></p><button id=save name=do value=note>Save</button>
      """)
  }

  // MARK: Around them

  private var status: String {
    let changes = "\(waiting) change\(waiting == 1 ? "" : "s") waiting. "
    return (waiting > 0 ? changes + button("send", "Send now", " id=send") + " " : "")
      + (isOffline ? "Offline. " : "") + escaped(message)
  }

  private func conditions(_ conditions: Conditions, _ command: String, _ title: String) -> String {
    let boxes = [
      ("failing", conditions.isFailing), ("hanging", conditions.isHanging), ("offline", conditions.isOffline),
    ].map { name, isOn in
      """
      <label><input type=checkbox id=\(command)-\(name) name=\(name) value=1\(isOn ? " checked" : "")> \
      \(name.capitalized)</label>
      """
    }
    return form(
      "backend-\(command)",
      """
      <fieldset><legend>\(title)</legend>\
      <label>Lag <input id=\(command)-lag name=lag size=3 inputmode=numeric value=\(conditions.lag)> ms</label> \
      \(boxes.joined(separator: " ")) <button id=\(command)-set name=do value=\(command)>Set</button></fieldset>
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

  /// The page of an address that there is not.
  static let unknown = """
    <!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content="width=device-width">
    <title>Not found – LiveFiles</title><link rel=stylesheet href=/live.css>
    <body><main class=unknown><h1>There is no such page</h1><p>The address may be old, or not typed as it was meant.</p>
    <p><a href=/>To the files</a></p></main></body></html>

    """

  /// The template with these values in one pass: a value that looks like a place stays as it is.
  var html: String {
    var values = Dictionary(uniqueKeysWithValues: regions.map { ($0.id, $0.html) })
    values["rows"] = rows.map(item).joined()
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
