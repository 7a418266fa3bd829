// SPDX-License-Identifier: MIT
import AsyncStateLists
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// The classic bug of lists: a reused cell that shows the former row's picture.
  @MainActor
  struct ReuseTests {
    /// A cell that requests its picture.
    @MainActor final class PictureCell: @MainActor ReusableController {
      let picture = AsyncData<String>()
      let gate: ManualServer<String?>
      var shown: [String] = []
      var token: ObservedToken?

      init(gate: ManualServer<String?>) {
        self.gate = gate
        token = picture.observed.map(\.value).observe { [unowned self] in shown.append($0 ?? "-") }
      }

      func configure(with model: Int) {
        picture.start { [gate] in try await gate.wait() }
      }
      func prepareForReuse() { picture.reset() }
    }

    @Test("8.2 an answer for the item before is never shown, even if its request is deaf")
    func noStaleAnswer() async {
      let gate = ManualServer<String?>(ignoresCancellation: true)
      let host = CellHost { PictureCell(gate: gate) }
      host.configure(with: 1)
      host.willDisplay()
      await gate.arrived(1)
      host.prepareForReuse()
      host.configure(with: 2)
      host.willDisplay()
      await gate.arrived(2)
      gate.answer(call: 1, with: .success("first"))
      await gate.ended(1)
      expectEqual(host.controller?.shown, ["-"])
      gate.answer(call: 2, with: .success("second"))
      await gate.ended(2)
      expectEqual(host.controller?.shown, ["-", "second"])
    }
  }
}
