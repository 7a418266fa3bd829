// SPDX-License-Identifier: MIT
extension Comparison {
  /// The resource of a key that is held.
  public static let familyAccess = Comparison(
    "a family's key", [Contender(.asyncState) { FamilyAccess() }, Contender(.byHand) { DictionaryAccess() }])

  /// The same with keys that are texts.
  public static let familyAccessByText = Comparison(
    "a family's text key",
    [Contender(.asyncState) { FamilyAccessByText() }, Contender(.byHand) { DictionaryAccessByText() }])

  /// An invalidation that one entry of 10,000 is hit by, beside one of a hundred.
  public static let tagInvalidation = Comparison(
    "one tag of 10,000",
    [
      Contender(.asyncState) { TagInvalidation(entries: 10_000) },
      Contender(.byHand) { HandWrittenTags(entries: 10_000) },
      Contender(.simplerCase) { TagInvalidation(entries: 100) },
    ])

  /// A tag that 10,000 entries in use have.
  public static let tagOfMany = Comparison(
    "a tag that 10,000 entries have", batch: 4, [Contender(.asyncState) { TagOfMany(entries: 10_000) }])

  /// A log-out of 10,000 entries in use.
  public static let logOut = Comparison(
    "a log-out of 10,000 entries", batch: 4, [Contender(.asyncState) { LogOutOfMany(entries: 10_000) }])

  /// A key of a batch of fifty, beside a request of its own.
  public static let batchedKey = Comparison(
    "a key in a batch of fifty",
    [
      Contender(.asyncState) { KeyRequests(isBatching: true) },
      Contender(.simplerCase) { KeyRequests(isBatching: false) },
    ])

  static let families = [familyAccess, familyAccessByText, tagInvalidation, tagOfMany, logOut, batchedKey]
}
