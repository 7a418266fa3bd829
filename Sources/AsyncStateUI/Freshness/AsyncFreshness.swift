// SPDX-License-Identifier: MIT
#if canImport(SwiftUI)
  public import AsyncState
  public import SwiftUI

  extension View {
    /// Opens the gate of a board while this scene is in the foreground and online: what is stale is requested again on
    /// return.
    ///
    /// ```swift
    /// ContentView()
    ///   .asyncFreshness(account.board)
    /// ```
    ///
    /// It belongs at the root of each scene: the gate is open while one of them is in the foreground. A scene that is only
    /// inactive, beneath a system's panel or beside another app, is in the foreground.
    ///
    /// - Parameters:
    ///   - board: The board of the families that the scene displays. It stays the same as long as the view is there.
    ///   - isOnline: Whether there is a network. The default is the system's.
    public func asyncFreshness(
      _ board: AsyncTagBoard, isOnline: Observed<Bool> = LoadGate.isOnline
    ) -> some View {
      Freshness(board: board, isOnline: isOnline, content: self)
    }
  }

  private struct Freshness<Content: View>: View {
    let board: AsyncTagBoard
    let isOnline: Observed<Bool>
    let content: Content
    @Environment(\.scenePhase) private var phase
    @State private var scene = SceneCondition()

    var body: some View {
      ZStack { content }
        .onAppear { scene.keepOpen(board, isOnline, phase) }
        .onChange(of: phase) { scene.note(phase) }
        .onDisappear { scene.end() }
    }
  }

  /// Whether a scene is in the foreground, for the board that it displays.
  @MainActor
  private final class SceneCondition {
    /// The scenes that are in the foreground and online, with the gate that each keeps open.
    private static var visible: [(scene: Weak, gate: LoadGate)] = []
    private let isInForeground = Input(false)
    /// All scenes, with the gate of each. An app that was launched in the background, where none was in the foreground, is there to
    /// request something.
    private static var all: [(scene: Weak, gate: LoadGate)] = []
    private var wasInForeground = false
    private var token: ObservedToken?

    private struct Weak { weak var scene: SceneCondition? }

    nonisolated init() {}

    func note(_ phase: ScenePhase) {
      if phase != .background { wasInForeground = true }
      let gate = Self.all.first { $0.scene.scene === self }?.gate
      let wasAnyInForeground = Self.all.contains { $0.gate === gate && $0.scene.scene?.wasInForeground == true }
      isInForeground.write(phase != .background || !wasAnyInForeground)
    }

    func keepOpen(_ board: AsyncTagBoard, _ isOnline: Observed<Bool>, _ phase: ScenePhase) {
      Self.all.removeAll { $0.scene.scene == nil || $0.scene.scene === self }
      Self.all.append((Weak(scene: self), board.gate))
      note(phase)
      token = (isInForeground && isOnline).observe { [weak self, gate = board.gate] in self?.set($0, gate) }
    }

    /// A scene that is closed is not in the foreground.
    func end() {
      isInForeground.write(false)
      token = nil
    }

    private func set(_ isVisible: Bool, _ gate: LoadGate) {
      Self.visible.removeAll { $0.scene.scene == nil || $0.scene.scene === self }
      if isVisible { Self.visible.append((Weak(scene: self), gate)) }
      if Self.visible.contains(where: { $0.gate === gate }) { gate.open() } else { gate.close() }
    }
  }
#endif
