// SPDX-License-Identifier: MIT
#if canImport(UIKit) || canImport(AppKit) || canImport(SwiftUI)
  import AsyncState
  import Foundation

  /// A text that a view of this module displays: a translation of the package, or the app's own text.
  public struct AsyncText: Hashable, Sendable, ExpressibleByStringLiteral {
    enum Source: Hashable {
      /// An English sentence, under which its translations are found.
      case translated(String)
      case own(String)
    }
    let source: Source

    /// A text of the app's own, in the user's language.
    public init(_ text: String) { source = .own(text) }
    /// A text of the app's own, in the user's language.
    public init(stringLiteral text: String) { source = .own(text) }
    private init(translated key: String) { source = .translated(key) }

    /// The text in the user's language.
    public var string: String { string(in: Self.bundle) }

    /// - Parameter bundle: The translations; without them the text is English.
    func string(in bundle: Bundle?) -> String {
      switch source {
      case .own(let text): text
      case .translated(let key): bundle?.localizedString(forKey: key, value: nil, table: nil) ?? key
      }
    }

    /// The translations; nil where the build has not placed them, as in some previews and static frameworks.
    static let bundle = TextBundle.find()

    /// The name of a loading indicator for VoiceOver.
    public static let loading = AsyncText(translated: StandardTexts.loading)
    /// There is nothing to display.
    public static let noData = AsyncText(translated: StandardTexts.noData)
    /// Nothing is known, and nothing is being requested: a request was cancelled, or what was loaded is forgotten.
    public static let idle = AsyncText(translated: StandardTexts.idle)
    /// Nothing is known, and the request waits for its gate.
    public static let waiting = AsyncText(translated: StandardTexts.waiting)
    /// The title of a button that requests again.
    public static let retry = AsyncText(translated: StandardTexts.retry)
    /// The title of a button that closes a banner.
    public static let dismiss = AsyncText(translated: StandardTexts.dismiss)
    /// The title of a banner beside content that a request could not renew.
    public static let notUpdated = AsyncText(translated: StandardTexts.notUpdated)
    /// An error without a text for people.
    public static let failure = AsyncText(translated: StandardTexts.failure)
    /// A `LoadTimeoutError`.
    public static let timeout = AsyncText(translated: StandardTexts.timeout)

    /// The text that an error has for people; ``failure`` if it has none.
    ///
    /// That is the `errorDescription` of a `LocalizedError`, or what the system says about an error of its own, such as a
    /// missing connection. The names of types and the values in an error are never displayed: they may be secret.
    public static func describing(_ error: any Error) -> AsyncText {
      let bridged = (error as Any) as? NSError
      switch error {
      case is LoadTimeoutError: return .timeout
      case let error as any LocalizedError: return error.errorDescription.map { AsyncText($0) } ?? .failure
      // Their domain has a text for each code.
      case let error as CocoaError where bridged.map { $0.domain == NSCocoaErrorDomain } ?? true:
        return AsyncText(error.localizedDescription)
      default:
        // An error of another domain has a text if who made it gave it one.
        let info = (error as? any CustomNSError)?.errorUserInfo ?? bridged?.userInfo
        return (info?[NSLocalizedDescriptionKey] as? String).map { AsyncText($0) } ?? .failure
      }
    }
  }

  /// The texts of all views of this module. Set ``app`` once, where the app starts, to replace them.
  ///
  /// ```swift
  /// AsyncTexts.app.noData = "No messages yet."
  /// ```
  public struct AsyncTexts: Sendable {
    /// The texts of the app. A screen reads them when it displays something.
    @MainActor public static var app = AsyncTexts()

    /// The name of a loading indicator for VoiceOver.
    public var loading = AsyncText.loading
    /// There is nothing to display.
    public var noData = AsyncText.noData
    /// Nothing is known, and nothing is being requested.
    public var idle = AsyncText.idle
    /// Nothing is known, and the request waits for its gate.
    public var waiting = AsyncText.waiting
    /// The title of a button that requests again.
    public var retry = AsyncText.retry
    /// The title of a button that closes a banner.
    public var dismiss = AsyncText.dismiss
    /// The title of a banner beside content that a request could not renew.
    public var notUpdated = AsyncText.notUpdated
    /// The text of an error.
    public var failure: @Sendable (any Error) -> AsyncText = { AsyncText.describing($0) }

    /// The texts of the package.
    public init() {}
  }
#endif
