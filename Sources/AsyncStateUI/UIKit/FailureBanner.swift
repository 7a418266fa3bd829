// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS)
  import UIKit

  /// Says beside content that a request could not renew it, with a button that requests again and one that closes it.
  final class FailureBanner: UIStackView {
    private weak var messageLabel: UILabel?

    /// Why the request has failed.
    var message: String? {
      get { messageLabel?.text }
      set { messageLabel?.text = newValue }
    }

    convenience init(message: String, retry: @escaping () -> Void, dismiss: @escaping () -> Void) {
      let title = Self.label(AsyncTexts.app.notUpdated.string, .headline, lines: 1)
      let messageLabel = Self.label(message, .footnote, lines: 3)
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
      isLayoutMarginsRelativeArrangement = true
      #if os(tvOS)
        // The colours of the system's backgrounds are not there.
        backgroundColor = .systemGray
      #else
        backgroundColor = .secondarySystemBackground
      #endif
    }

    private static func label(_ text: String, _ style: UIFont.TextStyle, lines: Int) -> UILabel {
      let label = UILabel()
      label.text = text
      label.font = .preferredFont(forTextStyle: style)
      label.adjustsFontForContentSizeCategory = true
      label.numberOfLines = lines
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
