// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS) || canImport(AppKit) && canImport(SwiftUI)
  public import AsyncState
  #if canImport(UIKit)
    import UIKit
  #else
    import AppKit
  #endif

  // What a screen of a resource does in each framework.

  extension AsyncViewController {
    /// Nil while nothing is displayed.
    var displayed: AsyncStatus<Value>? { isDisplayed ? container.currentState : nil }

    func resourceDidChange() {
      announcer.note(resource.status(policy: policy).kind, resource.error)
      content.followEmpty(resource, policy, displayed: displayed)
      updateBanner()
    }

    /// A person requests again, by a button here.
    func retry(hidingContent: Bool) {
      AskedFailure.noteRequest(of: resource)
      resource.retry(hidingContent: hidingContent, isolation: MainActor.shared)
    }

    /// Displays the banner while there is content, and the last request has failed.
    func updateBanner() {
      let failure =
        showsFailedRefresh ? bannerMessage(resource, policy, displayed: displayed, text: message) : nil
      if let next = banner.update(to: failure) { showBanner(next) }
    }

    func closeBanner() {
      banner.close(beside: resource)
      updateBanner()
    }

    private func display(_ isDisplayed: Bool = true, animated: Bool) {
      self.isDisplayed = isDisplayed
      displayedWrite = host.displayedWrite
      setNeedsTransition(to: host.container.currentState, animated: animated)
    }

    // MARK: Called by the host

    /// Requests the transition to nothing: no content, and no message.
    public func transitionToNothing(animated: Bool) { display(false, animated: animated) }
    /// Requests the transition to the status.
    public func transitionToLoading(animated: Bool) { display(animated: animated) }
    /// Requests the transition to the status.
    public func transitionToError(_ error: any Error, animated: Bool) { display(animated: animated) }
    /// Requests the transition to the status.
    public func transitionToNoData(animated: Bool) { display(animated: animated) }
    /// Requests the transition to the status.
    public func transitionToIdle(animated: Bool) { display(animated: animated) }
    /// Requests the transition to the status.
    public func transitionToWaiting(animated: Bool) { display(animated: animated) }
    /// Requests the transition to the status.
    public func transitionToData(_ value: Value, animated: Bool) { display(animated: animated) }
  }
#endif
