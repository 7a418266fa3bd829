// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateJournal
import AsyncStateUI
import SwiftUI
import Testing
import WebKit
#if canImport(UIKit)
  import UIKit
#else
  import AppKit
#endif

/// A journal in a view of the framework: its page is loaded once, with the entries that there are.
@MainActor
func expectOnePage(in controller: StandInController) throws {
  let journal = StateJournal()
  let data = AsyncData<Int>()
  journal.attach(data, name: "<answer>")
  data.value = 1
  let host = ViewHost(in: controller) { JournalView(journal, title: "Two & more") }
  let view = try #require(controller.view.subviews.first as? WKWebView)
  data.value = 2
  host.redraw()
  #expect(view.loads == 1 && view.html?.contains("<title>Two &amp; more</title>") == true)
  #expect(view.html?.contains("\\u003canswer\\u003e") == true && view.html?.contains("<answer>") == false)
  host.close()
  #expect(controller.view.subviews.isEmpty)
}
