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
    private static var all: [Weak] = []
    private let isInForeground = Input(false)
    /// The gate of the board.
    private var gate: LoadGate?
    private var wasInForeground = false
    /// True in the foreground and online.
    private var keepsGateOpen = false
    private var token: ObservedToken?

    private struct Weak { weak var scene: SceneCondition? }

    nonisolated init() {}

    /// The scenes with that board, also this one.
    private var scenes: [SceneCondition] { Self.all.compactMap(\.scene).filter { $0.gate === gate } }

    func note(_ phase: ScenePhase) {
      if phase != .background { wasInForeground = true }
      // An app that was launched in the background, where none was in the foreground, is there to request something.
      isInForeground.write(phase != .background || !scenes.contains(where: \.wasInForeground))
    }

    func keepOpen(_ board: AsyncTagBoard, _ isOnline: Observed<Bool>, _ phase: ScenePhase) {
      Self.all.removeAll { $0.scene == nil || $0.scene === self }
      Self.all.append(Weak(scene: self))
      gate = board.gate
      note(phase)
      token = (isInForeground && isOnline).observe { [weak self] in self?.keepGateOpen($0) }
    }

    /// A scene that is closed is not in the foreground.
    func end() {
      isInForeground.write(false)
      token = nil
    }

    private func keepGateOpen(_ isVisible: Bool) {
      keepsGateOpen = isVisible
      if scenes.contains(where: \.keepsGateOpen) { gate?.open() } else { gate?.close() }
    }
  }
#endif
