// SPDX-License-Identifier: MIT
// The only place that decides whether the page at an edge of a list is requested without a call (9.15).

/// The need for the page at an edge of a list: it is due, or there is a reason not to request it.
enum PageNeed: Equatable, CaseIterable {
  /// There is no list, or it ends at this edge.
  case atEnd
  /// A request runs, or waits for its gate.
  case onItsWay
  /// No row near the edge is displayed.
  case notDisplayed
  /// The last request has failed or was cancelled, and nothing has ended the rest since (9.16).
  case resting
  /// A load of the list runs or waits, the list is that of a former key, or an undecided change has made the edge.
  case blocked
  /// The page is wanted, and nothing blocks its request.
  case due
}

/// Everything that the need for a page depends on.
struct PageConditions {
  var hasCursor = true
  /// A request of the page runs, or waits for its gate.
  var isRequested = false
  var isDisplayed = true
  /// The last request has failed or was cancelled, and nothing has ended the rest since (9.16).
  var isResting = false
  /// A reason of ``PageNeed/blocked`` holds.
  var isBlocked = false

  var need: PageNeed {
    if !hasCursor {
      .atEnd
    } else if isRequested {
      .onItsWay
    } else if !isDisplayed {
      .notDisplayed
    } else if isResting {
      .resting
    } else if isBlocked {
      .blocked
    } else {
      .due
    }
  }
}
