/// What is to be removed and inserted to make one list of another.
///
/// The standard library's difference is the shortest, and takes time by the product of the lengths when everything is
/// different. For long lists this takes another way, in time that grows hardly faster than the lengths: items that are
/// in each list once are matched, and of the matches the longest run in order stays (the first step of the "patience"
/// difference: https://bramcohen.livejournal.com/73318.html). For lists without repetition that is the shortest, too.
enum ListDifference {
  /// Up to this product of lengths the standard library is fast enough.
  private static let shortestLimit = 250_000

  static func between<Item: Hashable>(_ old: [Item], _ new: [Item]) -> CollectionDifference<Item> {
    // Most changes are small: what is equal at both ends is not looked at twice.
    let prefix = zip(old, new).prefix { $0 == $1 }.count
    let suffix = zip(old.dropFirst(prefix).reversed(), new.dropFirst(prefix).reversed()).prefix { $0 == $1 }.count
    let oldRange = prefix..<(old.count - suffix)
    let newRange = prefix..<(new.count - suffix)
    if oldRange.count * newRange.count <= shortestLimit { return new.difference(from: old) }

    let kept = longestIncreasing(uniqueMatches(old, oldRange, new, newRange))
    let keptOld = Set(kept.map(\.old))
    let keptNew = Set(kept.map(\.new))
    let removals = oldRange.filter { !keptOld.contains($0) }.map {
      CollectionDifference<Item>.Change.remove(offset: $0, element: old[$0], associatedWith: nil)
    }
    let insertions = newRange.filter { !keptNew.contains($0) }.map {
      CollectionDifference<Item>.Change.insert(offset: $0, element: new[$0], associatedWith: nil)
    }
    // Each offset occurs once in its list, which is all that a difference has to fulfil.
    return CollectionDifference(removals + insertions)!
  }

  typealias Match = (old: Int, new: Int)

  /// Where the items stand that each list has once, in the order of the new list.
  private static func uniqueMatches<Item: Hashable>(
    _ old: [Item], _ oldRange: Range<Int>, _ new: [Item], _ newRange: Range<Int>
  ) -> [Match] {
    let oldPlaces = uniquePlaces(old, oldRange)
    let newPlaces = uniquePlaces(new, newRange)
    return newRange.compactMap { place in
      guard newPlaces[new[place]] == .some(.some(place)), let oldPlace = oldPlaces[new[place]] ?? nil else {
        return nil
      }
      return (oldPlace, place)
    }
  }

  /// The place of each item; nil for one that occurs more than once.
  private static func uniquePlaces<Item: Hashable>(_ items: [Item], _ range: Range<Int>) -> [Item: Int?] {
    var places: [Item: Int?] = [:]
    for place in range { places.updateValue(places[items[place]] == nil ? place : nil, forKey: items[place]) }
    return places
  }

  /// The longest run of matches whose old places ascend, too.
  private static func longestIncreasing(_ matches: [Match]) -> [Match] {
    // `ends[n]` is the match with the smallest old place that ends a run of n + 1; `previous` leads back along a run.
    var ends: [Int] = []
    var previous: [Int?] = []
    for (index, match) in matches.enumerated() {
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if matches[ends[middle]].old < match.old { low = middle + 1 } else { high = middle }
      }
      previous.append(low > 0 ? ends[low - 1] : nil)
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var run: [Match] = []
    var next = ends.last
    while let index = next {
      run.append(matches[index])
      next = previous[index]
    }
    return run.reversed()
  }
}
