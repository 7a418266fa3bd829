// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateGTK
import Browser
import CGtk
import Foundation

/// Suspends until the window is drawn next.
@Gtk func nextFrame(of widget: Widget) async {
  await withCheckedContinuation { continuation in
    gtk_widget_add_tick_callback(
      widget,
      { _, _, data in
        if let data { Unmanaged<Frame>.fromOpaque(data).takeUnretainedValue().continuation.resume() }
        return 0
      }, Unmanaged.passRetained(Frame(continuation)).toOpaque(),
      { data in if let data { Unmanaged<Frame>.fromOpaque(data).release() } })
  }
}

private final class Frame {
  let continuation: CheckedContinuation<Void, Never>
  init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }
}

/// The frames of a window, and how long GTK's thread has computed for each: a busy machine draws fewer.
@Gtk private final class FrameMeter {
  private var work: [Duration] = []
  private var task: Task<Void, Never>?

  init(_ window: BrowserWindow) {
    task = Task { [weak self] in
      var last = Self.computed
      while !Task.isCancelled {
        await nextFrame(of: window.widget)
        let now = Self.computed
        self?.work.append(now - last)
        last = now
      }
    }
  }

  private static var computed: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  func stop() -> String {
    task?.cancel()
    let sorted = work.sorted()
    guard let longest = sorted.last, let place = work.firstIndex(of: longest) else { return "no frame" }
    let (p50, p99) = (sorted[sorted.count / 2], sorted[min(sorted.count - 1, sorted.count * 99 / 100)])
    return "\(sorted.count) frames; computed for each: p50 \(p50.inMilliseconds), p99 \(p99.inMilliseconds), "
      + "at most \(longest.inMilliseconds), for frame \(place + 1)"
  }
}

extension Duration {
  var inMilliseconds: String { "\(Int(self / .milliseconds(1))) ms" }
}

/// Loads all pages of a folder, scrolls through it, and counts frames and cells.
@Gtk func rows(in folder: String, _ application: UnsafeMutablePointer<GtkApplication>) async -> [String] {
  let browser = Browser(at: folder)
  let window = BrowserWindow(browser, in: application)
  window.present()
  let page = browser.currentPage
  let meter = FrameMeter(window)
  let start = ContinuousClock.now
  _ = await page.resource.load(when: .stale)
  while page.resource.value?.next != nil {
    guard case .success = await page.resource.loadNext() else { continue }
    await nextFrame(of: window.widget)
  }
  let count = page.resource.value?.items.count ?? 0
  print("rows: \(count) loaded in \((ContinuousClock.now - start).inMilliseconds): \(meter.stop())")

  var failures: [String] = []
  let scrolling = FrameMeter(window)
  for step in 0...100 {
    page.list.scroll(to: Double(step) / 100)
    await nextFrame(of: window.widget)
    await nextFrame(of: window.widget)
    if let row = page.list.misplacedRow { failures.append("at \(step) %: row \(row) displays another file") }
  }
  print("rows: scrolled from end to end: \(scrolling.stop()); \(page.list.cellCount) cells")
  if page.list.cellCount > 600 { failures.append("\(page.list.cellCount) cells for one window") }
  return failures
}

/// Opens and leaves folders, and compares the memory.
@Gtk func memory(
  in folder: String, changes: Int, _ application: UnsafeMutablePointer<GtkApplication>
) async -> [String] {
  let browser = Browser(at: folder)
  let window = BrowserWindow(browser, in: application)
  window.present()
  _ = await browser.currentPage.resource.load(when: .stale)
  let folders = browser.currentPage.resource.value?.items.filter(\.isFolder).map(\.path) ?? []
  guard !folders.isEmpty else { return ["\(folder) has no folders"] }
  var former: [WeakPage] = []
  func change(_ range: Range<Int>) async {
    for number in range {
      browser.open(folders[number % folders.count])
      former.append(WeakPage(page: browser.currentPage))
      _ = await browser.currentPage.resource.load(when: .stale)
      await nextFrame(of: window.widget)
      browser.goBack()
      await nextFrame(of: window.widget)
    }
  }
  await change(0..<changes / 2)
  let half = residentKilobytes()
  await change(changes / 2..<changes)
  let all = residentKilobytes()
  for _ in 0..<60 where former.contains(where: { $0.page != nil }) { await nextFrame(of: window.widget) }
  let kept = former.count { $0.page != nil }
  print("memory: \(half) kB after \(changes / 2) changes of the folder, \(all) kB after \(changes)")
  var failures = kept == 0 ? [] : ["\(kept) pages of folders that were left are kept"]
  if all > half + 2_000 { failures.append("the memory grows") }
  return failures
}

private struct WeakPage {
  weak var page: FolderPage?
}

private func residentKilobytes() -> Int {
  let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
  return (pages.flatMap { Int($0[1]) } ?? 0) * sysconf(Int32(_SC_PAGESIZE)) / 1024
}
