// SPDX-License-Identifier: MIT
// The changes that the model shows before they are decided, and their commits.
extension DataModel {
  var baseWithConfirmed: [Int]? {
    base.map { $0 + changes.filter(\.isConfirmed).map(\.addend) }
  }

  /// A new base has what was confirmed before its load began; what was confirmed since, or is undecided, stays on top.
  func rebase(_ value: [Int]?, _ load: Load) {
    base = value
    writes += 1
    changes = (changes.filter { !$0.isConfirmed } + load.confirmed).sorted { $0.number < $1.number }
    fold()
  }

  /// What is displayed of changes is taken away. Their commits continue.
  func dropChanges() {
    for change in changes where !change.isConfirmed { mutations[change.number].isDropped = true }
    changes = []
  }

  /// A commit that has not begun never does; one that runs has no value when it returns.
  func endCommits() {
    for number in mutations.indices where !mutations[number].hasReturned && !mutations[number].isEnded {
      mutations[number].isDropped = true
      mutations[number].isEnded = true
      guard !mutations[number].hasBegun else { continue }
      mutations[number].hasReturned = true
      mutationOutcomes[number] = .superseded
    }
  }

  func beginCommits() {
    for number in mutations.indices where !mutations[number].hasBegun && !mutations[number].hasReturned {
      mutations[number].sentAt = writes
    }
  }

  /// - Parameter isCancelled: Whether its task was, and its commit has given up for that.
  func decide(_ number: Int, _ verdict: Verdict, isCancelled: Bool = false) {
    guard mutations.indices.contains(number), let sentAt = mutations[number].sentAt, !mutations[number].hasReturned
    else { return }
    mutations[number].hasReturned = true
    if mutations[number].isDropped {
      if image.isValueSet || image.error != nil || image.activity != nil { doubt() }
    } else {
      settle(number, verdict, sentAt)
    }
    guard !mutations[number].isEnded else { return mutationOutcomes[number] = .superseded }
    switch verdict {
    case .confirm: mutationOutcomes[number] = .value(snapshot.value)
    case .fail(let trouble): mutationOutcomes[number] = .failure(trouble)
    case .giveUp: mutationOutcomes[number] = isCancelled ? .cancelled : .failure(Trouble.interruption)
    }
  }

  /// A change that is displayed has ended.
  private func settle(_ number: Int, _ verdict: Verdict, _ sentAt: Int) {
    let index = changes.firstIndex { $0.number == number }!
    switch verdict {
    case .confirm:
      let known = baseWithConfirmed
      // Without a value there was nothing to change.
      let isOutdated = sentAt != writes || snapshot.value == nil
      changes[index].isConfirmed = true
      if let live {
        if live.confirmed.isEmpty { live.known = known }
        live.confirmed.append(changes[index])
      }
      fold()
      if isOutdated { doubt() } else { tell() }
    case .fail, .giveUp:
      changes.remove(at: index)
      fold()
      doubt()
    }
  }

  /// The task of a change is cancelled.
  func cancelMutation(_ number: Int) {
    guard mutations.indices.contains(number) else { return }
    if mutations[number].hasBegun { return decide(number, .giveUp, isCancelled: true) }
    guard !mutations[number].hasReturned else { return }
    mutations[number].hasReturned = true
    mutationOutcomes[number] = .cancelled
    let isDisplayed = changes.contains { $0.number == number }
    changes.removeAll { $0.number == number }
    fold()
    if isDisplayed { tell() }
  }

  /// A change was sent, and it is not known whether the value contains it.
  private func doubt() {
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
