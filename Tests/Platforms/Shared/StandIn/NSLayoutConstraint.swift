// SPDX-License-Identifier: MIT
/// A condition for the places of two views. The stand-in keeps it, and runs no layout.
@MainActor
public final class NSLayoutConstraint: NSObject {
  let first: (view: StandInView, edge: String)
  let second: (view: StandInView, edge: String)

  init(_ first: (view: StandInView, edge: String), _ second: (view: StandInView, edge: String)) {
    (self.first, self.second) = (first, second)
  }

  /// Makes the conditions hold.
  public class func activate(_ constraints: [NSLayoutConstraint]) {
    for constraint in constraints {
      let (first, second) = (constraint.first.view, constraint.second.view)
      StandIn.require(
        first.isDescendant(of: second) || second.isDescendant(of: first), .assertion,
        "Unable to activate a constraint, because the views have no common ancestor")
      StandIn.require(
        !first.translatesAutoresizingMaskIntoConstraints, .documented,
        "A view with constraints of its own must not translate its autoresizing mask")
      first.pinnedEdges.append(constraint.first.edge == constraint.second.edge ? constraint.first.edge : "wrong")
    }
  }
}

/// An edge or a centre of a view. Of the generic parameter, Apple says that it keeps the axes apart.
@MainActor
public class NSLayoutAnchor<AnchorType: AnyObject>: NSObject {
  let view: StandInView
  let edge: String

  init(_ view: StandInView, _ edge: String) { (self.view, self.edge) = (view, edge) }

  /// The condition that both are at the same place.
  public func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>) -> NSLayoutConstraint {
    NSLayoutConstraint((view, edge), (anchor.view, anchor.edge))
  }
}

/// An edge at the left or right.
public final class NSLayoutXAxisAnchor: NSLayoutAnchor<NSLayoutXAxisAnchor> {}
/// An edge at the top or bottom.
public final class NSLayoutYAxisAnchor: NSLayoutAnchor<NSLayoutYAxisAnchor> {}

extension StandInView {
  /// The upper edge.
  public var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(self, "top") }
  /// The lower edge.
  public var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(self, "bottom") }
  /// The edge where lines begin.
  public var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(self, "leading") }
  /// The edge where lines end.
  public var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(self, "trailing") }
}
