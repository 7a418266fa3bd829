extension Comparison {
  /// The resource of a key that is held.
  public static let familyAccess = Comparison(
    "a family's key", [Contender(.asyncState) { FamilyAccess() }, Contender(.byHand) { DictionaryAccess() }])

  /// An invalidation that one entry of 10,000 is hit by, beside one of a hundred.
  public static let tagInvalidation = Comparison(
    "one tag of 10,000",
    [
      Contender(.asyncState) { TagInvalidation(entries: 10_000) },
      Contender(.byHand) { HandWrittenTags(entries: 10_000) },
      Contender(.simplerCase) { TagInvalidation(entries: 100) },
    ])

  static let families = [familyAccess, tagInvalidation]
}
