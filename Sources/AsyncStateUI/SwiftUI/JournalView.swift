// SPDX-License-Identifier: MIT
#if canImport(WebKit) && canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
  public import AsyncStateJournal
  import Foundation
  public import SwiftUI
  public import WebKit

  /// Displays a journal as its page: lanes over time, the entries, and the causes and effects of the one that is selected.
  ///
  /// It displays the entries that there are when the view appears. A view with another identity displays those that there are
  /// then.
  public struct JournalView {
    private let journal: StateJournal
    private let title: String

    /// A view of the entries of `journal`.
    public init(_ journal: StateJournal, title: String = "State journal") {
      self.journal = journal
      self.title = title
    }

    @MainActor
    private func makeView() -> WKWebView {
      let view = WKWebView(frame: .zero)
      // Without an address the page has no origin, and it requests nothing.
      view.loadHTMLString(journal.page(title: title), baseURL: nil)
      return view
    }
  }

  #if canImport(UIKit)
    extension JournalView: UIViewRepresentable {
      /// Makes the view, and the page of the entries that there are.
      public func makeUIView(context: Context) -> WKWebView { makeView() }
      /// Nothing: a redraw does not make the page anew.
      public func updateUIView(_ view: WKWebView, context: Context) {}
    }
  #else
    extension JournalView: NSViewRepresentable {
      /// Makes the view, and the page of the entries that there are.
      public func makeNSView(context: Context) -> WKWebView { makeView() }
      /// Nothing: a redraw does not make the page anew.
      public func updateNSView(_ view: WKWebView, context: Context) {}
    }
  #endif
#endif
