// SPDX-License-Identifier: MIT
// A board in the foreground and online, and what is stale when it returns there.

extension AsyncTagBoard {
  /// Requests again what is held, stale, and was requested before, in all families of the board, while what is displayed
  /// stays. Not more at a time than the board makes, those that were used last first; what loads already is left alone.
  ///
  /// While the board is closed nothing is requested.
  ///
  /// - Complexity: Linear in the number of entries of all families on the board, and O(*n* log *n*) in the number *n* of
  ///   those that are requested.
  public func refreshStale() {
    if isOpen { requestStale() }
  }

  /// Keeps the board open while a condition holds, and closed while none does: the app is in the foreground and online.
  ///
  /// ```swift
  /// let token = board.keepOpen(while: isOnline)
  /// ```
  ///
  /// When the first condition begins to hold, the board opens and requests again what is stale, as ``refreshStale()``
  /// does. Each scene of an app can bind a condition of its own: the board is open while any of them holds. Do not set
  /// ``isOpen`` beside it.
  ///
  /// - Returns: A token. When it is cancelled or released, the condition does not count any more; that shows at the next
  ///   change of another one. Without conditions the board stays as it is.
  public func keepOpen(while condition: Observed<Bool>) -> ObservedToken {
    let vote = BoardVote()
    votes.append(WeakReference(vote))
    return condition.observe { [weak self] holds in
      vote.holds = holds
      self?.countVotes()
    }
  }

  /// Keeps the board open while a gate is open: one condition of ``keepOpen(while:)``, as long as there is the board.
  ///
  /// ```swift
  /// board.keepOpen(while: online)
  /// ```
  ///
  /// Without it the requests of a board wait for the gate of their family's options, which takes its width.
  ///
  /// - Parameters:
  ///   - gate: The gate, which may be opened and closed anywhere.
  ///   - isolation: The actor that the board belongs to.
  public func keepOpen(while gate: LoadGate, isolation: isolated any Actor = #isolation) {
    let vote = BoardVote()
    votes.append(WeakReference(vote))
    let follower = gate.follower(on: isolation) { [weak self, weak vote, weak gate] in
      guard let self, let vote, let gate else { return }
      vote.holds = gate.isOpen
      countVotes()
    }
    gates.append((vote, follower))
    vote.holds = gate.isOpen
    countVotes()
  }

  private func countVotes() {
    votes.removeAll { $0.object == nil }
    let opens = votes.contains { $0.object?.holds == true }
    guard opens != isOpen else { return }
    isOpen = opens
    refreshStale()
  }
}

/// A condition that keeps a board open. The observation of the condition owns it.
final class BoardVote {
  var holds = false
}
