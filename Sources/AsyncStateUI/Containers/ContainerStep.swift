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
    /// The controllers of the steps, outermost first. Nil is a hand-over, in which every request waits.
    private static var running: [ViewController?] = []
    private static var waiting: [() -> Void] = []

    /// Carries out a step of the container of `controller`, and then, if it was the outermost, what has waited.
    static func run(in controller: ViewController?, _ body: () -> Void) {
      running.append(controller)
      body()
      running.removeLast()
      while running.isEmpty, !waiting.isEmpty { waiting.removeFirst()() }
    }

    /// Calls `body`, which changes the children of `controller`, at once or when the steps of other containers are over.
    static func whenFree(for controller: ViewController?, _ body: @escaping () -> Void) {
      call(body, if: running.allSatisfy { $0 != nil } && (running.isEmpty || running.contains(controller)))
    }

    /// Calls `body`, which removes `child`, at once or when the steps of it and of what it contains are over.
    static func whenFree(of child: ViewController, _ body: @escaping () -> Void) {
      call(body, if: !running.contains { $0?.isInside(child) == true })
    }

    private static func call(_ body: @escaping () -> Void, if isFree: Bool) {
      if isFree { body() } else { waiting.append(body) }
    }
  }

  extension TransitionAnimation {
    /// Finishes the animation in a step of its container.
    @MainActor
    func finishInStep() {
      let parent = (child as? ControllerChild)?.parent
      ContainerStep.whenFree(for: parent) { ContainerStep.run(in: parent) { self.finish() } }
    }
  }

  extension ViewController {
    fileprivate func isInside(_ other: ViewController) -> Bool {
      self === other || parent?.isInside(other) == true
    }
  }
#endif
