// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS)
  import UIKit

  /// Says beside content that a request could not renew it, with a button that requests again and one that closes it. They
  /// stand below one another, and nothing is cut, from the accessibility sizes of texts on.
  final class FailureBanner: UIStackView {
    private weak var messageLabel: UILabel?

    /// Why the request has failed.
    var message: String? {
      get { messageLabel?.text }
      set { messageLabel?.text = newValue }
    }

    convenience init(message: String, retry: @escaping () -> Void, dismiss: @escaping () -> Void) {
      let title = Self.label(AsyncTexts.app.notUpdated.string, .headline)
      let messageLabel = Self.label(message, .footnote)
      let texts = UIStackView(arrangedSubviews: [title, messageLabel])
      texts.axis = .vertical
      var again = UIButton.Configuration.bordered()
      again.title = AsyncTexts.app.retry.string
      var close = UIButton.Configuration.plain()
      close.image = UIImage(systemName: "xmark")
      let closing = UIButton(configuration: close, primaryAction: UIAction { _ in dismiss() })
      closing.accessibilityLabel = AsyncTexts.app.dismiss.string
      self.init(arrangedSubviews: [
        texts, UIButton(configuration: again, primaryAction: UIAction { _ in retry() }), closing,
      ])
      self.messageLabel = messageLabel
      spacing = 8
      followSize(title)
      registerForTraitChanges([UITraitPreferredContentSizeCategory.self]) { [weak title] banner, _ in
        if let title { banner.followSize(title) }
      }
      isLayoutMarginsRelativeArrangement = true
      #if os(tvOS)
        // The colours of the system's backgrounds are not there.
        backgroundColor = .systemGray
      #else
        backgroundColor = .secondarySystemBackground
      #endif
    }

    private func followSize(_ title: UILabel) {
      let isLarge = traitCollection.preferredContentSizeCategory.isAccessibilityCategory
      axis = isLarge ? .vertical : .horizontal
      title.numberOfLines = isLarge ? 0 : 1
      messageLabel?.numberOfLines = isLarge ? 0 : 3
    }

    private static func label(_ text: String, _ style: UIFont.TextStyle) -> UILabel {
      let label = UILabel()
      label.text = text
      label.font = .preferredFont(forTextStyle: style)
      label.adjustsFontForContentSizeCategory = true
      return label
    }

    /// Places the banner at the lower edge of `view`, in front.
    func place(in view: UIView) {
      translatesAutoresizingMaskIntoConstraints = false
      view.addSubview(self)
      let area = view.safeAreaLayoutGuide
      NSLayoutConstraint.activate([
        bottomAnchor.constraint(equalTo: area.bottomAnchor), leadingAnchor.constraint(equalTo: area.leadingAnchor),
        trailingAnchor.constraint(equalTo: area.trailingAnchor),
      ])
    }
  }
#endif
