// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import AsyncState

  /// What a banner beside content says: that the last request has failed. Nil where there is no content, no failure that a text
  /// is displayed for, or where a person has closed that banner.
  ///
  /// - Parameter text: Gives the text for a status.
  @MainActor
  func bannerMessage<Value>(
    _ resource: AsyncResource<Value>, _ policy: DisplayPolicy<Value>, text: (AsyncStatus<Value>) -> String?
  ) -> Announcement? {
    guard let error = resource.error, case .data = resource.status(policy: policy), let text = text(.error(error))
    else { return nil }
    let message = Announcement(text: text, failure: FailureID(of: resource))
    return AskedFailure.closedBanner(of: resource).hides(message) ? nil : message
  }
#endif
