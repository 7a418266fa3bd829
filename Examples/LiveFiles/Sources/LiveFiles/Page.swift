// SPDX-License-Identifier: MIT
import AsyncState
import Foundation

/// What a window displays, as values, and as HTML in regions that are replaced by their id.
struct Page: Sendable {
  let visitor, token, folder: String
  let query, file: String?
  let list: AsyncStatus<[Entry]>
  let marks: [String: Mark]
  let hasMore: Bool
  let moreError: String?
  let detail: AsyncStatus<Details>
  let selectedMark: Mark
  let waiting: Int
  let message: String
  let journal: [String]?
  let lag: Int
  let isFailing, isOffline: Bool

  var isLoading: Bool { list.kind == .loading || (file != nil && detail.kind == .loading) }

  var regions: [String: String] {
    ["crumbs": crumbs, "list": listing, "detail": details, "status": status, "journal": journalPanel]
  }

  private func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.append(character)
      }
    }
  }

  private func link(folder: String? = nil, file: String? = nil, query: String? = nil, journal: Bool? = nil) -> String {
    let values = [
      "w": visitor, "folder": folder ?? self.folder, "file": file, "q": query,
      "journal": journal ?? (self.journal != nil) ? "1" : nil,
    ]
    let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
    return "/?"
      + values.sorted { $0.key < $1.key }.compactMap { key, value in
        value.map { "\(key)=\($0.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")" }
      }.joined(separator: "&amp;")
  }

  private func form(_ command: String, _ fields: [String: String] = [:], _ content: String) -> String {
    let here = [
      "w": visitor, "token": token, "do": command, "folder": folder, "q": query ?? "", "file": file ?? "",
      "journal": journal == nil ? "" : "1",
    ]
    let hidden = here.merging(fields) { $1 }.sorted { $0.key < $1.key }.map {
      "<input type=hidden name=\($0.key) value=\"\(escaped($0.value))\">"
    }
    return "<form method=post action=/do>\(hidden.joined())\(content)</form>"
  }

  private var crumbs: String {
    var path = ""
    let parts = folder.split(separator: "/").map { part in
      path += (path.isEmpty ? "" : "/") + part
      return " / <a href=\"\(link(folder: path))\">\(escaped(String(part)))</a>"
    }
    return "<a href=\"\(link(folder: ""))\">Files</a>" + parts.joined()
  }

  private func problem(_ text: String) -> String {
    "<div class=problem role=alert><p>\(escaped(text))</p>\(form("retry", "<button>Try again</button>"))</div>"
  }

  private func form(_ command: String, _ content: String) -> String { form(command, [:], content) }

  private var listing: String {
    switch list {
    case .loading: "<p class=loading role=status>Loading …</p>"
    case .error(let error): problem("\(error)")
    case .noData: "<p class=empty>\(query == nil ? "This folder is empty." : "Nothing found.")</p>"
    case .data(let rows): "<ul>\(rows.map(row).joined())</ul>\(more)"
    }
  }

  private var more: String {
    guard hasMore else { return "" }
    return (moreError.map { "<p class=problem role=alert>\(escaped($0))</p>" } ?? "")
      + form("more", "<button id=more>More</button>")
  }

  private func row(_ entry: Entry) -> String {
    let mark = marks[entry.id] ?? Mark()
    let target = entry.isFolder ? link(folder: entry.id) : link(file: entry.id, query: query)
    let name = escaped(entry.name)
    let star = form(
      "favourite", ["path": entry.id, "on": mark.isFavourite ? "0" : "1"],
      "<button class=star aria-pressed=\(mark.isFavourite) aria-label=\"Favourite \(name)\">\(mark.isFavourite ? "★" : "☆")</button>"
    )
    let note = mark.note.isEmpty ? "" : "<small>\(escaped(mark.note))</small>"
    return """
      <li\(entry.id == file ? " aria-current=true" : "")><a href="\(target)"><i aria-hidden=true>\(entry.isFolder ? "▸" : "·")</i>\
      <span>\(name)</span>\(note)</a>\(star)</li>
      """
  }

  private var details: String {
    guard let file else { return "<p class=empty>Select a file.</p>" }
    let title = "<h2>\(escaped(file.split(separator: "/").last.map(String.init) ?? ""))</h2>"
    switch detail {
    case .loading: return title + "<p class=loading role=status>Loading …</p>"
    case .error(let error): return title + problem("\(error)")
    case .noData: return title + "<p class=empty>There is nothing to show.</p>"
    case .data(let details):
      let note = form(
        "note", ["path": file],
        "<label for=note>Note</label><textarea id=note name=note rows=3>\(escaped(selectedMark.note))</textarea><button>Save</button>"
      )
      return title + "<p>\(details.size) bytes, \(details.modified.formatted(.iso8601))</p>\(note)"
        + (details.preview.isEmpty ? "" : "<pre tabindex=0>\(escaped(details.preview))</pre>")
    }
  }

  private var status: String {
    let waits = waiting > 0 ? "\(waiting) change\(waiting == 1 ? "" : "s") waiting. " : ""
    return waits + (isOffline ? "Offline. " : "") + escaped(message)
  }

  private var journalPanel: String {
    guard let journal else {
      return "<a href=\"\(link(file: file, query: query, journal: true))\">Show the journal</a>"
    }
    return "<a href=\"\(link(file: file, query: query, journal: false))\">Hide the journal</a><ol>"
      + journal.map { "<li>\(escaped($0))</li>" }.joined() + "</ol>"
  }

  var html: String {
    func region(_ id: String, _ tag: String, _ more: String = "") -> String {
      "<\(tag) id=\(id)\(more)>\(regions[id] ?? "")</\(tag)>"
    }
    func box(_ name: String, _ text: String, _ isOn: Bool) -> String {
      "<label><input type=checkbox name=\(name) value=1\(isOn ? " checked" : "")> \(text)</label>"
    }
    return """
      <!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content="width=device-width">
      <title>LiveFiles</title><link rel=stylesheet href=/style.css><script src=/live.js defer></script>
      <body data-visitor="\(visitor)"><header>\(region("crumbs", "nav", " aria-label=Folder"))
      <form id=search method=get action=/ role=search><input type=hidden name=w value="\(visitor)">
      <input id=q type=search name=q placeholder="Search all folders" aria-label=Search value="\(escaped(query ?? ""))">
      <noscript><button>Search</button></noscript></form></header>
      <main>\(region("list", "section", " aria-label=Files"))\(region("detail", "section", " aria-label=Details"))</main>
      <footer>\(region("status", "p", " role=status"))
      \(form("backend", "<label>Lag <input name=lag size=5 inputmode=numeric value=\(lag)> ms</label>" + box("failing", "Failing", isFailing) + box("offline", "Offline", isOffline) + "<button>Set</button>"))
      \(region("journal", "div"))</footer></body></html>
      """
  }
}
