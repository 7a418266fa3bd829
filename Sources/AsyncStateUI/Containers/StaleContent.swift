// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import AsyncState

  /// What a banner beside content says: that the last request has failed.
  struct StaleContent: Equatable {
    /// Another number is a failure of another request of a person.
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
      (self.failure, self.message) = (AskedFailure.number(of: resource), message)
    }
  }

  /// Decides what becomes of a banner. One that was closed stays so until there is another text, or another request of a
  /// person has failed.
  struct BannerDecision {
    private var last: StaleContent?

    enum Change {
      case stays
      case ends
      /// A banner that is there has another text, which keeps the focus where it is; else one is placed.
      case displays(StaleContent)
    }

    mutating func change(to next: StaleContent?) -> Change {
      defer { last = next }
      guard let next else { return .ends }
      return next == last ? .stays : .displays(next)
    }
  }
#endif
