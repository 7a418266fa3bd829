// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import AsyncState
  #if canImport(UIKit)
    import UIKit
  #else
    import AppKit
  #endif

  /// What a banner beside content says: that the last request has failed. Nil where there is no content, no failure that a text
  /// is displayed for, or where a person has closed that banner.
  ///
  /// - Parameters:
  ///   - displayed: What the screen displays: a pacer may still display the indicator.
  ///   - text: Gives the text for a status.
  @MainActor
  func bannerMessage<Value>(
    _ resource: AsyncResource<Value>, _ policy: DisplayPolicy<Value>, displayed: AsyncStatus<Value>?,
    text: (AsyncStatus<Value>) -> String?
  ) -> Announcement? {
    guard case .data = displayed, let error = resource.error, case .data = resource.status(policy: policy),
      let text = text(.error(error))
    else { return nil }
    let message = Announcement(text: text, failure: FailureID(of: resource))
    return AskedFailure.closedBanner(of: resource).hides(message) ? nil : message
  }

  /// The banner of a screen: its view, and what that says.
  @MainActor
  struct FailedRefreshBanner<Banner: PlatformView> {
    var view: Banner?
    private var message: Announcement?

    init() {}

    /// - Returns: What the banner says from now on; nil where that stays as it is, or the banner has ended. One that is there gets
    ///   another text, which keeps the focus where it is.
    mutating func update(to next: Announcement?) -> Announcement? {
      guard next != message else { return nil }
      message = next
      if next == nil { view.take()?.removeFromSuperview() }
      return next
    }

    /// A person has closed it.
    func close<Value>(beside resource: AsyncResource<Value>) {
      if let message { AskedFailure.closedBanner(of: resource).close(message) }
    }
  }
#endif
