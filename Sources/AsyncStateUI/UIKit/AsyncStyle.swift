// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  /// The looks of every ``AsyncViewController`` in the place of content. Set ``app`` once, where the app starts.
  ///
  /// ```swift
  /// AsyncStyle.app.empty = {
  ///   var configuration = UIContentUnavailableConfiguration.empty()
  ///   configuration.image = UIImage(systemName: "leaf")
  ///   return configuration
  /// }
  /// ```
  ///
  /// A configuration without a text, a button title or an action gets those of the screen.
  @MainActor
  public struct AsyncStyle {
    /// The looks of the app. A screen reads them when it displays something.
    public static var app = AsyncStyle()

    /// While a value is on its way.
    public var loading: () -> UIContentUnavailableConfiguration = { .loading() }
    /// An error in the place of content.
    public var failure: (any Error) -> UIContentUnavailableConfiguration = { _ in
      var configuration = UIContentUnavailableConfiguration.empty()
      configuration.image = UIImage(systemName: "exclamationmark.triangle")
      return configuration
    }
    /// Nothing is known, and the request waits for its gate: without a network, for example.
    public var waiting: () -> UIContentUnavailableConfiguration = {
      var configuration = UIContentUnavailableConfiguration.empty()
      configuration.image = UIImage(systemName: "wifi.slash")
      return configuration
    }
    /// Nothing is known, and nothing is being requested: after a cancel or a log-out, for example.
    public var idle: () -> UIContentUnavailableConfiguration = {
      var configuration = UIContentUnavailableConfiguration.empty()
      configuration.image = UIImage(systemName: "tray")
      return configuration
    }
    /// There is nothing.
    public var empty: () -> UIContentUnavailableConfiguration = {
      var configuration = UIContentUnavailableConfiguration.empty()
      configuration.image = UIImage(systemName: "tray")
      return configuration
    }

    /// The system's looks.
    public init() {}
  }
#endif
