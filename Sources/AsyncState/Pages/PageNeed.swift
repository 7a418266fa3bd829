// SPDX-License-Identifier: MIT
// Whether the page at an edge of a list is requested by itself. This is the only place that decides it.

/// What is to be done about the page at an edge of a list.
enum PageNeed: Equatable, CaseIterable {
  /// The list ends here, or there is none.
  case atEnd
  /// A request runs, or waits for its gate.
  case onItsWay
  /// No row near the edge is displayed.
  case notDisplayed
  /// The last request has failed or was cancelled: a person, or an answer to the list, is waited for.
  case resting
  /// The list is being requested, or is to be, or belongs to a former key; or an undecided change has made the edge.
  case blocked
  /// It is wanted, and nothing stands in the way.
  case due
}

/// Everything that the need for a page depends on.
struct PageConditions {
  /// There is a cursor at the edge.
  var hasCursor = true
  /// A request of the page is in the order.
  var isRequested = false
  /// A row near the edge is displayed.
  var isDisplayed = true
  /// The last request has failed or was cancelled, and nothing has happened since that tries it again.
  var isResting = false
  /// A load of the list runs or waits, the list is that of a former key, or an undecided change has made the edge.
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
