// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  #if canImport(UIKit)
    import UIKit

    typealias PlatformView = UIView
  #else
    import AppKit

    typealias PlatformView = NSView
  #endif

  extension PlatformView {
    /// Makes the view as large as `other` by constraints, which end when it leaves its superview.
    func fill(_ other: PlatformView) {
      translatesAutoresizingMaskIntoConstraints = false
      NSLayoutConstraint.activate([
        topAnchor.constraint(equalTo: other.topAnchor), bottomAnchor.constraint(equalTo: other.bottomAnchor),
        leadingAnchor.constraint(equalTo: other.leadingAnchor),
        trailingAnchor.constraint(equalTo: other.trailingAnchor),
      ])
    }
  }
#endif
