// SPDX-License-Identifier: MIT
import AsyncState

/// Different keys, one after another, through a family that keeps a hundred.
public final class ManyKeys {
  /// A value that counts how many there are.
  private final class Counted {
    private let counter: Counter

    init(_ counter: Counter) {
      self.counter = counter
      counter.count += 1
      counter.most = max(counter.most, counter.count)
    }

    deinit { counter.count -= 1 }
  }

  private final class Counter {
    var count = 0
    var most = 0
  }

  private let family: AsyncFamily<Int, Counted>
  private let counter = Counter()
  private var next = 0

  /// A family without entries.
  @MainActor public init() {
    family = AsyncFamily(keepUnused: 100) { _ in nil }
  }

  /// The largest number of entries with a value that there were at a time.
  public var most: Int { counter.most }

  /// Gives values to so many keys that were not used before.
  public func use(_ count: Int) {
    for _ in 0..<count {
      family[next].data.value = Counted(counter)
      next += 1
    }
    _ = family.entries.count
  }
}
