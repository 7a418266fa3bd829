#if canImport(UIKit) && !os(watchOS)
  import UIKit

  extension UIView {
    /// Makes the view as large as `other` by constraints, which end when it leaves its superview.
    func fill(_ other: UIView) {
      translatesAutoresizingMaskIntoConstraints = false
      NSLayoutConstraint.activate([
        topAnchor.constraint(equalTo: other.topAnchor), bottomAnchor.constraint(equalTo: other.bottomAnchor),
        leadingAnchor.constraint(equalTo: other.leadingAnchor),
        trailingAnchor.constraint(equalTo: other.trailingAnchor),
      ])
    }
  }
#endif
