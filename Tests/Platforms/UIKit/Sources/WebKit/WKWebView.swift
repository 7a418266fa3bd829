// SPDX-License-Identifier: MIT
#if canImport(UIKit)
  public import UIKit
  /// A view of the framework beside WebKit.
  public typealias WebKitView = UIView
#else
  public import AppKit
  /// A view of the framework beside WebKit.
  public typealias WebKitView = NSView
#endif

/// What is being loaded.
@MainActor
open class WKNavigation: NSObject {}

/// Displays a page.
@MainActor
open class WKWebView: WebKitView {
  /// What was loaded last, for tests.
  public private(set) var html: String?
  /// How often something was loaded, for tests.
  public private(set) var loads = 0
  /// Displays a page that is a text. Without an address it has no origin of its own.
  @discardableResult
  open func loadHTMLString(_ string: String, baseURL: URL?) -> WKNavigation? {
    html = string
    loads += 1
    return WKNavigation()
  }
}
