// SPDX-License-Identifier: MIT
import AsyncStateLists
import AsyncState

/// Cells that are displayed, and lists with an observer.
final class ListWorld: World {
  private final class Row: ReusableController {
    private let scene: Scene
    private let life: Census.Life

    init(_ scene: Scene) {
      self.scene = scene
      life = scene.census.life("row")
    }

    func configure(with model: Int) { scene.called("configure") }
    // A cell that is displayed is released elsewhere: these two follow on its actor, as soon as that is free.
    func willDisappear(animated: Bool) { scene.called("row's willDisappear") }
    func didDisappear(animated: Bool) { scene.called("row's didDisappear") }
    func prepareForReuse() { scene.called("prepareForReuse") }
  }

  private let scene: Scene
  private let items = Input([1, 2, 3])

  init(_ scene: Scene, isolation: isolated any Actor) { self.scene = scene }

  func makeParts(isolation: isolated any Actor) -> [Any] {
    let scene = scene
    let cell = CellHost { Row(scene) }
    cell.configure(with: 1)
    cell.willDisplay()
    let source = ListDataSource<Int, Row>(
      items: items, dequeue: { _ in Row(scene) }, configure: { $0.configure(with: $1) })
    let token = source.observeChanges { change in
      scene.called("observer of changes")
      change.apply()
    }
    return [cell, source, token, source.cell(at: 0)]
  }

  func write(_ number: Int, isolation: isolated any Actor) {
    items.write([number, number + 1, 2])
  }

  func check(owners: Int, isolation: isolated any Actor) async {
    await scene.census.isEmpty("row")
  }
}
