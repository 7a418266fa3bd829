// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateGTK
import CGtk

/// A child that writes down what the container says, and what GTK says of its widget.
@Gtk private final class Witness: WidgetChild {
  let name: String
  private(set) var words: [String] = []

  init(_ name: String) {
    self.name = name
    super.init(gtk_label_new(name))
    connect(widget, "map") { [weak self] in self?.words.append("map") }
    connect(widget, "unmap") { [weak self] in self?.words.append("unmap") }
  }

  override func willAppear(animated: Bool) { words.append("will appear") }
  override func didAppear(animated: Bool) { words.append("did appear") }
  override func willDisappear(animated: Bool) { words.append("will disappear") }
  override func didDisappear(animated: Bool) { words.append("did disappear") }
  override func transitionDuration(isAppearing: Bool) -> Duration { .milliseconds(isAppearing ? 30 : 20) }

  static let round = ["will appear", "map", "did appear", "will disappear", "unmap", "did disappear"]

  /// Nil: each of GTK's words stands between the container's two, however often.
  var fault: String? {
    for (index, word) in words.enumerated() where word != Self.round[index % Self.round.count] {
      return "\(name), at \(index): \(words[max(0, index - 7)...index].joined(separator: ", "))"
    }
    return words.count % Self.round.count == 0 ? nil : "\(name) has not disappeared: \(words.suffix(6))"
  }
}

/// Random transitions of containers in containers, at once and animated, in a window that is opened and closed.
@Gtk func order(walks: Int, seed: UInt64, _ application: UnsafeMutablePointer<GtkApplication>) async -> [String] {
  var chance = Chance(state: seed)
  var (failures, count): ([String], Int) = ([], 0)
  for walk in 1...max(walks, 1) where failures.isEmpty {
    let window: UnsafeMutablePointer<GtkWindow> = gtk_application_window_new(application).cast()
    let witnesses = (0..<6).map { Witness("\($0)") }
    let animator = FrameClockAnimator()
    let inner = StateContainer(initialState: [0], animator: animator) { $0.map { witnesses[$0] } }
    let innerStage = Stage(inner)
    let outer = StateContainer(initialState: [6], animator: animator) {
      $0.map { $0 == 6 ? innerStage : witnesses[$0] }
    }
    let stage = Stage(outer)
    gtk_window_set_child(window, stage.widget)
    stage.present(in: window)
    var isPresented = true
    for _ in 0..<Int.random(in: 4...40, using: &chance) {
      switch Int.random(in: 0..<11, using: &chance) {
      case 0...3:
        let state = Array([3, 4, 5, 6].shuffled(using: &chance).prefix(Int.random(in: 0...3, using: &chance)))
        outer.setNeedsTransition(to: state, animated: .random(using: &chance))
      case 4...6:
        let state = Array([0, 1, 2].shuffled(using: &chance).prefix(Int.random(in: 0...2, using: &chance)))
        inner.setNeedsTransition(to: state, animated: .random(using: &chance))
      case 7 where isPresented:
        stage.dismiss(window)
        isPresented = false
      case 7:
        stage.present(in: window)
        isPresented = true
      default: if isPresented { await nextFrame(of: window.cast()) }
      }
    }
    if isPresented { stage.dismiss(window) }
    failures = witnesses.compactMap(\.fault).map { "walk \(walk) of seed \(seed): \($0)" }
    count += witnesses.reduce(0) { $0 + $1.words.count }
    gtk_window_destroy(window)
  }
  print("order: \(walks) walks, \(count) calls and signals, \(failures.count) out of order")
  return failures
}
