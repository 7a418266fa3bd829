// SPDX-License-Identifier: MIT
/// A mistake that breaks a screen, so that a test can show that it is noticed.
///
/// None is made in an app. A test makes one for the time of a closure:
///
/// ```swift
/// await Mistake.$current.withValue(.retryIsMissing) { await test() }
/// ```
enum Mistake: String, CaseIterable, Sendable {
  // The weather screen
  /// The operation displays its answer itself, so that a late answer replaces a newer one.
  case lateAnswerIsDisplayed
  /// Pull to refresh starts a reload, which hides the content.
  case refreshHidesContent
  /// There is no retry button beside an error.
  case retryIsMissing

  // The search field
  /// A request for each letter.
  case everyLetterIsRequested
  /// The results disappear while the user types.
  case resultsFlicker
  /// Nothing typed looks like nothing found.
  case idleLooksEmpty
  /// What is typed while a request runs is ignored.
  case textIsIgnoredWhileLoading

  // The endless list
  /// A page that fails replaces the list with its error.
  case failedPageHidesList
  /// Older messages are requested at the newer edge.
  case edgesAreMixedUp
  /// A cell keeps its portrait itself, so that a row can show the one of another row.
  case rowShowsFormerPortrait

  // The like button
  /// A like that fails restores the value from before the tap, and removes later likes with it.
  case failureRestoresFormerValue
  /// Likes are sent at the same time.
  case likesOvertake

  // The wizard
  /// The first step is displayed at each appearance.
  case wizardStartsAgain
  /// A step has new pages each time, so that what was typed is lost.
  case pagesAreNotKept

  // The cache
  /// Each caller makes a request.
  case everyCallerRequests
  /// The answer is kept for ever.
  case answerNeverExpires
  /// The answer is not kept at all.
  case nothingIsCached

  // The screen of two services
  /// Only one of the services is requested again.
  case retryForgetsOneService
  /// An error is turned into "there is nothing".
  case errorIsSwallowed
  /// One service yields a placeholder, which is displayed as if it were its answer.
  case placeholderIsYielded

  // The shared stories
  /// A screen has a resource of its own, and displays another story than the list.
  case screenHasItsOwnStory
  /// A like is written into the value, where a refresh or a failure cannot find it.
  case likeIsWrittenByHand

  // The session
  /// Each refusal requests a token, also one that was refused with the former token.
  case everyRefusalRequestsAToken
  /// A refusal is displayed as an error.
  case refusalIsDisplayed

  // The warnings
  /// The screen disappears, and the requests continue.
  case pollingOutlivesTheScreen
  /// After one failure nothing is requested any more.
  case failureEndsPolling

  // The mail
  /// The token that keeps the board bound is not kept.
  case boardIsNotBound
  /// Everything is requested at each return, also after a second.
  case everyReturnRequests

  /// The mistake that is made now.
  @TaskLocal static var current: Mistake?

  /// Whether this mistake is made now.
  var isMade: Bool { Mistake.current == self }
}
