/// How a performed input has ended, for what follows from it.
enum MutationEnd<Output> {
  case succeeded(Output)
  case failed
  /// It was sent, and given up before the answer: the server may have done it.
  case unknown
  /// It was never sent.
  case withdrawn
}

/// One performed input.
final class MutationRun<Input, Output> {
  let input: Input
  let load: Load<Output>
  /// It has its turn: the load is the data's.
  var isStarted = false
  /// The operation was called.
  private var hasBegun = false
  private var ends: [(MutationEnd<Output>) -> Void] = []

  init(_ input: Input, _ load: Load<Output>) {
    self.input = input
    self.load = load
  }

  /// An effect has begun, and is to be ended with the run.
  func begin(_ end: @escaping (MutationEnd<Output>) -> Void) {
    // What began before may have called an observer, which has cancelled the run.
    if load.isCurrent { ends.append(end) } else { end(result) }
  }

  /// The operation of the load.
  // Here, and not where it is used: a closure in a function with an isolated parameter does not run on its caller's
  // actor.
  func sending(_ operation: @escaping (Input) async throws -> Output) -> () async throws -> Output? {
    { try await self.send(by: operation) }
  }

  private func send(by operation: (Input) async throws -> Output) async throws -> Output? {
    hasBegun = true
    return try await operation(input)
  }

  /// The load has ended: so do the effects.
  func end() {
    let ends = ends
    self.ends = []
    let result = result
    for end in ends { end(result) }
  }

  /// It has not begun, and never will; or its mutation was released.
  func withdraw(_ reason: LoadEnd = .cancelled) {
    load.close(.ended(reason))
    load.finish()
    end()
  }

  /// The mutation was released.
  func abandon() {
    if load.isCurrent { withdraw() } else { end() }
  }

  private var result: MutationEnd<Output> {
    switch load.ending {
    case .answered?:
      guard let output = load.answer else { preconditionFailure("An operation that has answered has an output.") }
      return .succeeded(output)
    case .failed(let error)?: return error is LoadTimeout ? .unknown : .failed
    case .ended?, .fresh?, nil: return hasBegun ? .unknown : .withdrawn
    }
  }
}

/// What waits for its turn, in order. Adding, removing and taking the first take constant time, amortised.
struct MutationQueue<Element: AnyObject> {
  private var elements: [Int: Element] = [:]
  private var places: [ObjectIdentifier: Int] = [:]
  private var first = 0
  private var end = 0

  var isEmpty: Bool { elements.isEmpty }

  func contains(_ element: Element) -> Bool { places[ObjectIdentifier(element)] != nil }

  mutating func append(_ element: Element) {
    elements[end] = element
    places[ObjectIdentifier(element)] = end
    end += 1
  }

  /// - Returns: Whether it was there.
  mutating func remove(_ element: Element) -> Bool {
    guard let place = places.removeValue(forKey: ObjectIdentifier(element)) else { return false }
    elements[place] = nil
    return true
  }

  mutating func takeFirst() -> Element? {
    while first < end {
      defer { first += 1 }
      guard let element = elements.removeValue(forKey: first) else { continue }
      places[ObjectIdentifier(element)] = nil
      return element
    }
    return nil
  }

  mutating func takeAll() -> [Element] {
    var all: [Element] = []
    while let element = takeFirst() { all.append(element) }
    return all
  }
}
