// SPDX-License-Identifier: MIT
@testable import AsyncStateUI
import SwiftUI
import Testing
import Toolkit

// What tests of both frameworks see and do by the same names.

#if canImport(UIKit)
  typealias HostingController = UIHostingController
#else
  typealias HostingController = NSHostingController
#endif

/// A window on the screen. What former tests have left is forgotten.
@MainActor
func makeWindow() -> Window {
  StandIn.reset()
  let window = Window()
  #if canImport(UIKit)
    window.makeKeyAndVisible()
  #endif
  return window
}

#if canImport(UIKit)
  extension UIWindow {
    /// The controller whose view fills the window.
    var root: UIViewController? {
      get { rootViewController }
      set { rootViewController = newValue }
    }
  }

  extension UIView {
    /// Whether VoiceOver does not find it.
    var isUnheard: Bool { accessibilityElementsHidden }
    var all: [UIView] { [self] + subviews.flatMap(\.all) }
  }
#else
  extension NSWindow {
    /// The controller whose view fills the window.
    var root: NSViewController? {
      get { contentViewController }
      set { contentViewController = newValue }
    }
  }

  extension NSView {
    /// Whether VoiceOver does not find it.
    var isUnheard: Bool { isAccessibilityHidden() }
  }
#endif

/// What a screen of a resource displays beside its content.
extension ViewController {
  /// What is displayed in the place of the content, also the title of its button; nil for nothing.
  var message: [String]? {
    #if canImport(UIKit)
      guard let shown = contentUnavailableConfiguration as? UIContentUnavailableConfiguration else { return nil }
      let button = shown.buttonProperties.primaryAction == nil ? nil : shown.button.title
      return [shown.text ?? "(progress)", button].compactMap(\.self)
    #else
      let host = (children.last as? any Hosting)?.host
      host?.draw()
      return host?.texts
    #endif
  }

  /// Presses the button there.
  func pressMessage() throws {
    #if canImport(UIKit)
      let shown = contentUnavailableConfiguration as? UIContentUnavailableConfiguration
      try #require(shown?.buttonProperties.primaryAction).performWithSender(nil, target: nil)
    #else
      #expect((children.last as? any Hosting)?.host?.press("Try Again") == true)
    #endif
  }

  /// The banner that says beside the content that a refresh has failed.
  var bannerView: ToolkitView? {
    #if canImport(UIKit)
      view.subviews.first { $0 is FailureBanner }
    #else
      view.subviews.first { $0 is NSHostingView<FailureBannerView> }
    #endif
  }

  /// What the banner says, also the title of its button; nil: there is none.
  var banner: [String]? {
    #if canImport(UIKit)
      bannerView?.all.compactMap { ($0 as? UILabel)?.text ?? ($0 as? UIButton)?.configuration?.title }
    #else
      let host = (bannerView as? any Hosting)?.host
      host?.draw()
      return host?.texts
    #endif
  }

  /// Presses a button of the banner.
  func pressBanner(_ title: String) throws {
    #if canImport(UIKit)
      let buttons = try #require(bannerView).subviews.compactMap { $0 as? UIButton }
      try #require(buttons.first { $0.configuration?.title == title || $0.accessibilityLabel == title })
        .sendActions(for: .primaryActionTriggered)
    #else
      #expect((bannerView as? any Hosting)?.host?.press(title) == true)
    #endif
  }
}
