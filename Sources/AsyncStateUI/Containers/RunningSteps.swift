// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import AsyncState
  #if canImport(UIKit)
    import UIKit

    typealias ViewController = UIViewController
  #else
    import AppKit

    typealias ViewController = NSViewController
  #endif

  /// The steps of containers that are being carried out: requests, life-cycle calls, ends of animations, hand-overs.
  ///
  /// A container that gets a life-cycle call inside a step delivers it when the step is over. If a callback could remove
  /// the container from its parent at once, its children would be notified after their views have left the window. So a
  /// request to another container waits until the steps are over; one to the same container waits there by itself.
  @MainActor
  enum ContainerStep {
    /// The controllers of the steps, outermost first. Nil is a hand-over.
    private(set) static var running: [ViewController?] = []
    private static var waiting: [() -> Void] = []

    /// Carries out a step of the container of `controller`, and then, if it was the outermost, what has waited.
    static func run(in controller: ViewController?, _ body: () -> Void) {
      running.append(controller)
      body()
      running.removeLast()
      while running.isEmpty, !waiting.isEmpty { waiting.removeFirst()() }
    }

    /// Carries out a step of the container of `controller`, at once or when the steps of other containers are over.
    static func request(in controller: ViewController?, _ body: @escaping () -> Void) {
      call(if: running.isEmpty || running.contains(controller)) { run(in: controller, body) }
    }

    /// Calls `body`, at once or when all steps are over.
    static func call(if isFree: Bool, _ body: @escaping () -> Void) {
      if isFree { body() } else { waiting.append(body) }
    }
  }

  extension TransitionAnimation {
    /// Finishes the animation in a step of its container.
    @MainActor
    func finishInStep() {
      ContainerStep.request(in: (child as? ControllerChild)?.parent) { self.finish() }
    }
  }
#endif
