// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import AsyncState

  /// What a banner beside content says: that the last request has failed.
  struct StaleContent: Equatable {
    /// Another number is another failure.
    let failure: UInt32
    let message: String

    /// Nil where there is no content, or no failure that a text is displayed for.
    ///
    /// - Parameter message: Gives the text for a status.
    @MainActor
    init?<Value>(
      _ resource: AsyncResource<Value>, _ policy: DisplayPolicy<Value>, message: (AsyncStatus<Value>) -> String?
    ) {
      guard let error = resource.error, case .data = resource.status(policy: policy),
        let message = message(.error(error))
      else { return nil }
      (self.failure, self.message) = (resource.data.failureCount, message)
    }
  }

  /// Decides what becomes of a banner. One that was closed stays so until another request fails.
  struct BannerDecision {
    private var last: StaleContent?

    enum Change {
      case stays
      case ends
      /// A banner that is there has another text, which keeps the focus where it is; else one is placed if this is news.
      case displays(StaleContent, isNews: Bool)
    }

    mutating func change(to next: StaleContent?) -> Change {
      defer { last = next }
      guard let next else { return .ends }
      return next == last ? .stays : .displays(next, isNews: next.failure != last?.failure)
    }
  }
#endif
