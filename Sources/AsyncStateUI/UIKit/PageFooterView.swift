// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS)
  public import AsyncState
  public import UIKit

  /// A footer that displays the request for the next page: an indicator while it runs, a text while it waits for its
  /// gate, the error with a retry button when it has failed, and the button alone after a cancellation. Otherwise it is
  /// empty.
  ///
  /// ```swift
  /// tableView.tableFooterView = PageFooterView(feed)
  /// ```
  ///
  /// The footer requests a page only when its button is touched. Other pages are requested where rows are displayed. It
  /// is 96 points high; set another frame for another height. In a collection view, put it into a supplementary view.
  public final class PageFooterView: UIStackView {
    private let indicator = UIActivityIndicatorView()
    private let label = UILabel()
    private let button = UIButton(configuration: .bordered(), primaryAction: nil)
    private var observation: ObservedToken?

    /// Creates the footer of a list.
    public convenience init<Item, Cursor>(_ feed: AsyncResource<Paged<Item, Cursor>>) {
      self.init(frame: CGRect(x: 0, y: 0, width: 0, height: 96))
      for view in [indicator, label, button] { addArrangedSubview(view) }
      (axis, spacing, isLayoutMarginsRelativeArrangement) = (.vertical, 8, true)
      label.font = .preferredFont(forTextStyle: .footnote)
      label.adjustsFontForContentSizeCategory = true
      label.numberOfLines = 3
      indicator.accessibilityLabel = AsyncTexts.app.loading.string
      button.configuration?.title = AsyncTexts.app.retry.string
      let retry = UIAction { [weak feed] _ in Task { _ = await feed?.loadNext() } }
      button.addAction(retry, for: .primaryActionTriggered)
      observation = feed.observed.observe { [weak self, weak feed] _ in
        if let feed { self?.display(PageFooterContent(of: feed, followsByItself: false)) }
      }
    }

    private func display(_ content: PageFooterContent) {
      switch content {
      case .nothing: show()
      case .indicator: show(isLoading: true)
      case .waiting: show(AsyncTexts.app.waiting.string)
      case .failure(let error): show(AsyncTexts.app.failure(error).string, hasButton: true)
      case .button: show(hasButton: true)
      }
    }

    private func show(_ message: String? = nil, isLoading: Bool = false, hasButton: Bool = false) {
      if isLoading { indicator.startAnimating() } else { indicator.stopAnimating() }
      indicator.isHidden = !isLoading
      // The content is displayed again at each change of the list, but a message that is displayed already was
      // announced.
      let isNews = label.text != message
      label.text = message
      label.isHidden = message == nil
      button.isHidden = !hasButton
      if let message, isNews, window != nil { Announcement(text: message).post() }
    }
  }
#endif
