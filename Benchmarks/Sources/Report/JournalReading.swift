// SPDX-License-Identifier: MIT
import HeapCounter
import Workloads

/// What a full journal does to the heap while it records.
struct JournalReading {
  let heap: HeapUse

  static func measure() async -> JournalReading {
    await Recorder().run()
  }
}

/// The actor of what is recorded.
private actor Recorder {
  private let work = RecordedChange(isRecorded: true)

  func run() -> JournalReading {
    work.begin(on: self)
    // Once before, so that the ring is full.
    work.run(10_000)
    return JournalReading(heap: HeapUse.counted(synchronously: { work.run(1_000_000) }))
  }
}
