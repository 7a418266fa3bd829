// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncState
import AsyncStateTesting

/// What a journal records, released elsewhere in the middle of everything: the ends are recorded on the actor, one for
/// each beginning. Some owners have a journal of their own, which is released with its subjects.
final class JournalWorld: World {
  private let scene: Scene
  private let journal = StateJournal(capacity: 100)
  private let audit = Audit()
  private var token: ObservedToken?
  private var made = Int.random(in: 0..<4)
  private var recordedCount = 0

  /// What has begun and not ended, by the journal.
  private final class Audit {
    var open: Set<Int> = []
    var releases = 0
    var last = 0

    private static func begins(_ text: String) -> Bool {
      text.hasPrefix("load started") || text.hasSuffix("page requested") || text == "patched"
        || text.hasPrefix("will transition")
    }

    func note(_ entry: StateJournal.Entry) {
      expect(entry.number == last + 1, "entry \(entry.number) follows entry \(last)")
      last = entry.number
      if let ends = entry.ends { expect(open.remove(ends) != nil, "\(entry) ends what had ended") }
      if entry.text == "released" { releases += 1 }
      if Self.begins(entry.text) { open.insert(entry.number) }
    }
  }

  init(_ scene: Scene, isolation: isolated any Actor) {
    self.scene = scene
    token = journal.observe { [audit, scene] entry in
      scene.called("journal", outlives: true)
      audit.note(entry)
    }
  }

  func makeParts(isolation: isolated any Actor) -> [Any] {
    made += 1
    let isOwn = made.isMultiple(of: 3)
    let journal = isOwn ? StateJournal() : journal
    let number = made
    let scene = scene
    let life = scene.census.life("operation")
    let gate = ManualServer<Int>(ignoresCancellation: made.isMultiple(of: 2))
    scene.atEnd { for call in 1...100 { gate.answer(call: call, with: .success(1)) } }
    let input = Input(0)
    let resource = AsyncResource<Int>(isolation: isolation) {
      .value {
        _ = life
        return try await gate.wait()
      }
    }
    let host = AsyncHost(resource) { _ in [Leaf()] }
    let data = AsyncData<Int>()
    journal.attach(input, name: "input \(number)", isolation: isolation)
    journal.attach(resource, name: "resource \(number)", isolation: isolation)
    journal.attach(host, name: "host \(number)", isolation: isolation)
    journal.attach(data, name: "data \(number)", isolation: isolation)
    if !isOwn { recordedCount += 4 }
    let chain = input.observe { [weak data] in data?.value = $0 }
    host.appear(animated: false)
    host.start(isolation: isolation)
    let handle = data.begin(.refresh, isolation: isolation)
    input.write(number)
    let next = data.begin(isolation: isolation)
    if number.isMultiple(of: 2) { resource.data.value = number }
    return [input, resource, host, data, chain, handle, next] + (isOwn ? [journal] : [])
  }

  func write(_ number: Int, isolation: isolated any Actor) {
    if number % 20 == 0 { _ = journal.entries.count + journal.dropped }
  }

  func check(owners: Int, isolation: isolated any Actor) async {
    scene.answer()
    await scene.census.isEmpty("operation")
    for _ in 0..<3 { await turn(of: isolation) }
    expect(audit.releases == recordedCount, "\(audit.releases) of \(recordedCount) releases are recorded")
    expect(audit.open.isEmpty, "open at rest: \(audit.open.sorted())")
  }

  private final class Leaf: ChildController {}
}
