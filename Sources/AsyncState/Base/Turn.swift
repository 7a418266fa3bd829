// SPDX-License-Identifier: MIT
/// Lets requests that are made inside a callback wait until that callback has returned.
///
/// The first caller carries out its request, and then one after another the requests that were made during it:
///
/// ```
/// turn.add(request)
/// guard turn.begin() else { return }
/// while let request = turn.next() { carryOut(request) }
/// ```
///
/// So nothing recurses, and requests are carried out in order.
struct Turn<Request> {
  private var waiting = WaitingLine<Request>()

  /// True while requests are carried out, by a caller that continues until none is left.
  private(set) var isTaken = false

  /// True if a request waits or is being carried out.
  var hasWork: Bool { isTaken || !waiting.isEmpty }

  mutating func add(_ request: Request) {
    waiting.append(request)
  }

  /// Begins with a request, or adds it to those that wait. The first one needs no room in the line.
  ///
  /// - Returns: True if the caller must carry it out, and then those that wait.
  mutating func begin(with request: Request) -> Bool {
    if begin() { return true }
    add(request)
    return false
  }

  /// Changes the requests that wait.
  mutating func updateWaiting(_ update: (inout Request) -> Void) {
    waiting.updateAll(update)
  }

  /// - Returns: True if the caller must carry out those that wait. False if another caller is doing so.
  mutating func begin() -> Bool {
    guard !isTaken else { return false }
    isTaken = true
    return true
  }

  /// - Returns: The request to carry out next; nil at the end, when the turn is over.
  mutating func next() -> Request? {
    let next = waiting.takeFirst()
    if next == nil { isTaken = false }
    return next
  }

  /// Ends the turn, though requests may wait for the next one.
  mutating func end() {
    isTaken = false
  }

  /// Takes over the requests of another turn, and the turn itself.
  mutating func merge(_ other: consuming Turn) {
    waiting.append(other.waiting)
    isTaken = isTaken || other.isTaken
  }
}
