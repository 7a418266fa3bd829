// SPDX-License-Identifier: MIT
// The changes that the model shows before they are decided, and their commits.
extension DataModel {
  var baseWithConfirmed: [Int]? {
    base.map { $0 + changes.filter(\.isConfirmed).map(\.addend) }
  }

  /// A new base has what was confirmed before its load began; what was confirmed since, or is undecided, stays on top.
  func rebase(_ value: [Int]?, _ load: Load) {
    base = value
    for change in changes where !change.isConfirmed && mutations[change.number].hasBegun {
      mutations[change.number].isUncertain = true
    }
    changes = (changes.filter { !$0.isConfirmed } + load.confirmed).sorted { $0.number < $1.number }
    fold()
  }

  func dropChanges() {
    for change in changes where !change.isConfirmed {
      mutations[change.number].isDecided = true
      // A commit that has not begun never does; one that runs has its outcome when it returns.
      guard !mutations[change.number].hasBegun else { continue }
      mutations[change.number].hasReturned = true
      mutationOutcomes[change.number] = .superseded
    }
    changes = []
  }

  /// Each commit that is first in its lane begins.
  func beginCommits() {
    for number in mutations.indices where !mutations[number].hasBegun && !mutations[number].isDecided {
      let lane = mutations[number].lane
      let isFirst = lane == nil || !mutations[..<number].contains { $0.lane == lane && !$0.hasReturned }
      if isFirst { mutations[number].hasBegun = true }
    }
  }

  func decide(_ number: Int, _ verdict: Verdict) {
    guard mutations.indices.contains(number), mutations[number].hasBegun, !mutations[number].hasReturned else { return }
    defer { beginCommits() }
    mutations[number].hasReturned = true
    guard !mutations[number].isDecided else { return mutationOutcomes[number] = .superseded }
    mutations[number].isDecided = true
    let index = changes.firstIndex { $0.number == number }!
    switch verdict {
    case .confirm, .answer:
      let known = baseWithConfirmed
      changes[index].isConfirmed = true
      if let live {
        if live.confirmed.isEmpty { live.known = known }
        live.confirmed.append(changes[index])
      }
      if mutations[number].hasServer {
        // The server's value is an answer where nothing but a seed was known.
        if !image.isValueSet {
          image.isValueSet = true
          image.isProvisional = false
        }
        // The answer has what was confirmed before it.
        changes = changes[..<index].filter { !$0.isConfirmed } + changes[(index + 1)...]
        base = if case .answer(let value) = verdict { value } else { nil }
        isYielded = false
      }
      fold()
      for other in mutations.indices where mutations[other].hasBegun && !mutations[other].hasReturned {
        mutations[other].hasMissed = true
      }
      // Without a value there was nothing to change.
      let isUncertain = mutations[number].isUncertain || snapshot.value == nil
      if mutations[number].hasServer ? mutations[number].hasMissed : isUncertain { markStale() }
      tell()
      mutationOutcomes[number] = .value(snapshot.value)
    case .fail(let trouble):
      takeOut(index)
      mutationOutcomes[number] = .failure(trouble)
    case .giveUp:
      takeOut(index)
      mutationOutcomes[number] = .cancelled
    }
  }

  /// The task of a change is cancelled.
  func cancelMutation(_ number: Int) {
    guard mutations.indices.contains(number) else { return }
    if mutations[number].hasBegun { return decide(number, .giveUp) }
    guard !mutations[number].isDecided else { return }
    mutations[number].isDecided = true
    mutations[number].hasReturned = true
    mutationOutcomes[number] = .cancelled
    changes.removeAll { $0.number == number }
    fold()
    tell()
    beginCommits()
  }

  /// A commit that had begun came to nothing.
  private func takeOut(_ index: Int) {
    changes.remove(at: index)
    fold()
    markStale()
    live?.isOutdated = true
    tell()
  }

  /// A confirmed change with nothing undecided below it is part of the base.
  private func fold() {
    while let first = changes.first, first.isConfirmed {
      base = base.map { $0 + [first.addend] }
      changes.removeFirst()
    }
  }
}
