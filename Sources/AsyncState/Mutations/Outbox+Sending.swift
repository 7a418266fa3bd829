// SPDX-License-Identifier: MIT
// How an outbox sends what waits: a few lanes at a time, each input by data of its own, which do its retries and its
// timeout.

extension Outbox {
  /// The largest number of lanes that are remembered as failed: while there are so many, no other lane begins.
  private var heldLimit: Int { 100 }

  /// The lanes that cannot begin another input.
  private var blocked: Set<String> { held.union(sending.keys) }

  /// Looks for what can be sent, as soon as it is the store's turn.
  func look() {
    guard maySend, isRestored, !isUnreadable, !isLooking, held.count < heldLimit else { return }
    if let emptyBesides, emptyBesides.isSubset(of: blocked) { return }
    isLooking = true
    enqueue(.look)
  }

  func lookForWork(isolation: isolated any Actor) async {
    isLooking = false
    // Room that is not used is for the next one.
    var hasRoom = false
    swap(&hasRoom, &self.hasRoom)
    defer { if hasRoom { settings.board.senders.leave() } }
    guard maySend else { return }
    let besides = blocked
    do {
      guard let entry = try await settings.store.first(besides: besides, isolation: isolation) else {
        emptyBesides = besides
        settled = []
        // The store has nothing of these, though it has failed to remove them.
        for run in leaving.values where run.place.map({ besides.contains($0.lane) }) == false {
          await remove(run, isolation: isolation)
        }
        return look()
      }
      guard !settled.contains(entry.key) else { throw OutboxError.returned(key: entry.key) }
      let run = run(for: entry)
      if run.place?.phase == .waiting, maySend {
        guard hasRoom || settings.board.senders.enter(self) else { return }
        hasRoom = false
        send(run, isolation: isolation)
      } else if leaving[run.key] === run {
        // The store has failed to remove it. What is just being stored, or removed, has its job behind this one.
        await remove(run, isolation: isolation)
      }
      look()
    } catch {
      isUnreadable = true
      note(error)
    }
  }

  private func send(_ run: Run, isolation: isolated any Actor) {
    guard let place = run.place, let mutation else { return }
    beganCount += 1
    run.place?.phase = .sending
    run.place?.number = beganCount
    run.place?.isInterrupted = false
    run.place?.hasMetClosedBoard = false
    sending[place.lane] = run
    let request = AsyncData<Output>(options: settings.options)
    mutation.show(run, isolation: isolation)
    run.place?.request = request
    // An observer may have cancelled it.
    guard run.place?.isWithdrawn == false, run.place?.isInterrupted == false else {
      return requestDidEnd(of: run, isolation: isolation)
    }
    request.delegate = self
    request.start(
      isolation: isolation,
      operation: run.sending(mutation.operation) { [board = settings.board] in
        if !board.isOpen { run.place?.hasMetClosedBoard = true }
        return board.isOpen
      })
  }

  private func requestDidEnd(of run: Run, isolation: isolated any Actor) {
    guard let request = run.place?.request else { return }
    let snapshot = request.snapshot
    let isPermanent = snapshot.error.map { settings.isPermanent($0) }
    request.delegate = nil
    run.place?.request = nil
    if snapshot.isValueSet, let output = snapshot.value {
      leave(run, .success(output))
      mutation?.show(.success(output), of: run, isolation: isolation)
      run.endEffects(.succeeded(output))
    } else if let error = snapshot.error {
      if isPermanent == true {
        run.place?.phase = .leaving
        run.place?.end = .failure(error)
        enqueue(.setAside(run, error))
      } else {
        run.place?.phase = .waiting
        hold(run)
      }
      mutation?.show(.failure(error), of: run, isolation: isolation)
    } else if run.place?.isWithdrawn == true {
      leave(run, .cancelled)
      mutation?.show(.cancelled, of: run, isolation: isolation)
      run.endEffects(run.hasBegun ? .unknown : .withdrawn)
    } else {
      run.place?.phase = .waiting
      hold(run)
      // The board may have opened since.
      if run.place?.hasMetClosedBoard == true, settings.board.isOpen { wake() }
      mutation?.show(.cancelled, of: run, isolation: isolation)
    }
    resumeIfSettled()
  }

  /// The input whose request began last, of those that run.
  var lastSent: Run? {
    sending.values.filter { $0.place?.phase == .sending }.max { ($0.place?.number ?? 0) < ($1.place?.number ?? 0) }
  }
}

extension Outbox: AsyncDataDelegate {
  /// A request has progressed, or ended.
  func asyncData(_ data: AsyncData<Output>, didInvalidateStateForced forced: Bool) {
    guard let run = sending.values.first(where: { $0.place?.request === data }) else { return }
    if let activity = data.snapshot.activity {
      mutation?.report(activity.progress, of: run)
    } else {
      callHere(with: run) { outbox, run, home in outbox.requestDidEnd(of: run, isolation: home) }
    }
  }

  func reloadAsyncData() {}
}

extension Outbox: BoardSender {
  func boardDidOpen() { wake() }

  func hasRoomNow() -> Bool {
    look()
    guard isLooking, !hasRoom else { return false }
    hasRoom = true
    return true
  }
}
