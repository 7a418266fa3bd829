// SPDX-License-Identifier: MIT
import AsyncState

/// Records what is written to an input.
final class InputProbe: InputHook {
  private let link: JournalProbe
  private var version: Int
  /// The numbers of what was written and is not delivered, and of the last one that was.
  private var numbers: [Int] = []

  init(_ link: JournalProbe, version: Int) {
    self.link = link
    self.version = version
    link.note(.attached(nil))
  }

  func retire() {
    link.retire()
  }

  func inputWasWritten(version: Int, waitingCount: Int) {
    // The delivery that was postponed is not another write.
    guard version != self.version else { return }
    self.version = version
    numbers.append(link.note(.written))
    let delivered = numbers.count - waitingCount - 1
    // Not one at a time, while many wait.
    if delivered > waitingCount { numbers.removeFirst(delivered) }
  }

  func notifying(waitingCount: Int, _ body: () -> Void) {
    let index = numbers.count - 1 - waitingCount
    guard let journal = link.journal, numbers.indices.contains(index), numbers[index] != 0 else { return body() }
    journal.notifying(of: numbers[index], body)
  }
}
