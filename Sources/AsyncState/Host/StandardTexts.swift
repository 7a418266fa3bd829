// SPDX-License-Identifier: MIT
/// The English sentences that a person reads where an app has none: of a ``StatusBoard``, and of the views of AsyncStateUI,
/// which has translations of them.
///
/// This is the one place where they are written. `Documentation/check` compares the translations, and draws the pictures with
/// these texts.
package enum StandardTexts {
  /// The name of a loading indicator.
  package static var loading: String { "Loading" }
  /// There is nothing to display.
  package static var noData: String { "There is nothing here yet." }
  /// Nothing is known, and nothing is being requested.
  package static var idle: String { "Not loaded." }
  /// Nothing is known, and the request waits for its gate.
  package static var waiting: String { "Waiting for a connection." }
  /// The title of a button that requests again.
  package static var retry: String { "Try Again" }
  /// The title of a button that closes a banner.
  package static var dismiss: String { "Dismiss" }
  /// The title of a banner beside content that a request could not renew.
  package static var notUpdated: String { "Not updated" }
  /// An error without a text for people.
  package static var failure: String { "Something went wrong. Please try again." }
  /// A `LoadTimeoutError`.
  package static var timeout: String { "This is taking too long. Please try again." }
}
