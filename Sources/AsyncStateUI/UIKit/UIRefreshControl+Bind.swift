// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  public import AsyncState
  public import UIKit

  extension UIRefreshControl {
    /// Refreshes `resource` when the user pulls, and stops when no load is running, also one that another caller has started,
    /// or when it waits for its gate.
    ///
    /// - Returns: The observation. When the token is cancelled or released, a pull requests nothing any more, and the wheel of
    ///   one that was made before ends.
    public func bind<Value>(to resource: AsyncResource<Value>) -> ObservedToken {
      let pull = Pull { [weak self, weak resource] in
        if let resource {
          AskedFailure.noteRequest(of: resource)
          resource.refresh()
        }
        if resource?.isRequesting.current != true { self?.endRefreshing() }
      }
      let action = UIAction { [weak self, weak pull] _ in
        if let pull { pull.body() } else { self?.endRefreshing() }
      }
      addAction(action, for: .valueChanged)
      pull.removal = AfterRelease { [weak self] in
        self?.removeAction(action, for: .valueChanged)
        if self?.isRefreshing == true { self?.endRefreshing() }
      }
      return resource.isRequesting.observe { [weak self] isRequesting in
        // Kept by this closure alone, which the observation releases when it ends.
        _ = pull
        if !isRequesting, self?.isRefreshing == true { self?.endRefreshing() }
      }
    }

    @MainActor
    private final class Pull {
      let body: () -> Void
      var removal: AfterRelease?

      init(_ body: @escaping () -> Void) { self.body = body }
    }
  }
#endif
