// SPDX-License-Identifier: MIT
/// What the keys of a family that are requested together may do, written from laws 3.24 and 10.11 to 10.15: a plain program
/// without tasks. Which keys share a request depends on the turns of the actor: it judges each request that is made. The last
/// three keys are only prefetched.
struct BatchModel {
  /// A load of a key, and who wants it.
  struct Load {
    /// The number of its request; nil: it waits for one.
    var batch: Int?
    /// It was requested since the last time that nothing was left to do.
    var isNew = true
    var isPinned = false
    var isPrefetched = false
    var calls: Set<Int> = []

    var isWanted: Bool { isPinned || isPrefetched || !calls.isEmpty }
  }

  enum Answer: Equatable { case values, lacking, failure }

  struct Key {
    var load: Load?
    var value: Int?
    var hasFailed = false
    var isAnswered = false
  }

  static let count = 6
  static let heldCount = 3

  let limit: Int
  /// Nil: without a limit.
  let width: Int?
  var isOpen = true
  private(set) var keys = [Key](repeating: Key(), count: Self.count)
  private(set) var displayed: Set<Int> = []
  /// The requests that some key wants, by number, with these keys.
  private(set) var batches: [Int: Set<Int>] = [:]
  private(set) var ends: [Int: String] = [:]
  /// The number of keys that were requested since nothing was left to do.
  private var begunCount = 0
  private var requestCount = 0

  init(limit: Int, width: Int?) {
    self.limit = limit
    self.width = width
  }

  var line: [Int] { keys.indices.filter { keys[$0].load.map { $0.batch == nil } == true } }

  /// Another request has to follow.
  var mayRequest: Bool { isOpen && batches.count < width ?? .max && !line.isEmpty }

  // MARK: Requests

  /// A request is made.
  ///
  /// - Returns: What is wrong about it.
  mutating func request(_ requested: [Int], as number: Int) -> String? {
    guard mayRequest else { return "\(requested) are requested, and nothing may be" }
    guard 1...limit ~= requested.count else { return "\(requested) are \(requested.count) keys" }
    guard Set(requested).count == requested.count else { return "\(requested) has a key twice" }
    guard Set(requested).isSubset(of: line) else {
      return "\(requested) are requested, and \(line) wait"
    }
    requestCount += 1
    begunCount += requested.count
    for key in requested { keys[key].load?.batch = number }
    batches[number] = Set(requested)
    return nil
  }

  /// Nothing is left to do.
  ///
  /// - Returns: What is wrong about that.
  mutating func rest() -> String? {
    let fewest = (begunCount + limit - 1) / limit
    let isMore = requestCount > fewest
    (begunCount, requestCount) = (0, 0)
    for key in line { keys[key].load?.isNew = false }
    // Where nothing waits for room, what is requested in one turn is as few requests as there can be.
    if width == nil { return isMore ? "there are more than \(fewest) requests" : nil }
    return nil
  }

  private mutating func join(_ key: Int, _ join: (inout Load) -> Void) {
    var load = keys[key].load ?? Load()
    join(&load)
    keys[key].load = load
  }

  mutating func start(_ key: Int) { join(key) { $0.isPinned = true } }

  mutating func call(_ key: Int, as number: Int) { join(key) { $0.calls.insert(number) } }

  mutating func prefetch(_ key: Int) { join(key) { $0.isPrefetched = true } }

  mutating func cancelPrefetch(_ key: Int) {
    keys[key].load?.isPrefetched = false
    endIfUnwanted(key)
  }

  mutating func leave(_ number: Int) {
    for key in keys.indices where keys[key].load?.calls.remove(number) != nil {
      ends[number] = "cancelled"
      endIfUnwanted(key)
    }
  }

  private mutating func endIfUnwanted(_ key: Int) {
    if keys[key].load?.isWanted == false { endLoad(key, "cancelled") }
  }

  // MARK: Ends

  private mutating func endLoad(_ key: Int, _ word: String) {
    guard let load = keys[key].load.take() else { return }
    for number in load.calls { ends[number] = word }
    guard let number = load.batch, let wanted = batches[number] else { return }
    batches[number] = wanted.count == 1 ? nil : wanted.subtracting([key])
  }

  mutating func cancel(_ key: Int) { endLoad(key, "cancelled") }

  mutating func forget(_ key: Int) {
    cancel(key)
    keys[key] = Key()
  }

  mutating func answer(_ number: Int, _ answer: Answer, _ value: Int) {
    for key in batches[number] ?? [] {
      keys[key].hasFailed = answer == .failure
      if answer != .failure { keys[key].value = has(key, answer) ? value : nil }
      keys[key].isAnswered = keys[key].isAnswered || answer != .failure
      endLoad(
        key,
        answer == .failure ? "failure failure" : has(key, answer) ? "value \(value)" : "nothing")
    }
  }

  /// Whether an answer has a key.
  func has(_ key: Int, _ answer: Answer) -> Bool { answer == .values || !key.isMultiple(of: 2) }

  mutating func display(_ key: Int, _ isDisplayed: Bool) {
    if isDisplayed { displayed.insert(key) } else { displayed.remove(key) }
  }
}
