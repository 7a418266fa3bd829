// SPDX-License-Identifier: MIT
extension UIViewController {
  /// What is not in order although nothing is under way: see ``StandIn/audit()``.
  func audit() -> [String] {
    var findings: [String] = []
    if appearance == .appearing || appearance == .disappearing { findings.append("\(self) is \(appearance)") }
    switch membership {
    case .moving: findings.append("\(self) has a parent, and no didMove(toParent:)")
    case .leaving: findings.append("\(self) was called with willMove(toParent: nil), and has a parent")
    case .none, .member: break
    }
    let isVisible = viewIfLoaded?.window != nil
    if isVisible != (appearance == .appeared) {
      findings.append("\(self) is \(appearance), its view is \(isVisible ? "in a window" : "in no window")")
    }
    if parent == nil, !isRoot, presentingViewController == nil, viewIfLoaded?.superview != nil {
      findings.append("\(self) has no parent, and its view is in a hierarchy")
    }
    if let parent, !parent.shouldAutomaticallyForwardAppearanceMethods {
      if parent.appearance != appearance {
        findings.append("\(self) is \(appearance), its parent \(parent.appearance)")
      }
      if parent.isViewLoaded, viewIfLoaded?.superview == nil { findings.append("\(self) is a child without a place") }
    }
    if let view = viewIfLoaded, view.alpha != 1 { findings.append("\(self) was left with an alpha of \(view.alpha)") }
    return findings
  }
}
