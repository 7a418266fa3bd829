// SPDX-License-Identifier: MIT
extension UIView {
  /// How an animation runs.
  public struct AnimationOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Options of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The views receive touches meanwhile.
    public static let allowUserInteraction = AnimationOptions(rawValue: 1 << 1)
    /// Slow, fast, slow.
    public static let curveEaseInOut: AnimationOptions = []
    /// At one speed.
    public static let curveLinear = AnimationOptions(rawValue: 3 << 16)
  }

  /// An animation that runs. Nothing of this exists in UIKit.
  @MainActor
  public final class Running {
    /// How long it takes.
    public let duration: TimeInterval
    /// After which delay.
    public let delay: TimeInterval
    /// How it runs.
    public let options: AnimationOptions
    /// The views that it changes, with the key of the property.
    public internal(set) var changes: [(view: UIView, key: String)] = []
    private var completion: ((Bool) -> Void)?

    init(_ duration: TimeInterval, _ delay: TimeInterval, _ options: AnimationOptions, _ completion: ((Bool) -> Void)?)
    {
      self.duration = duration
      self.delay = delay
      self.options = options
      self.completion = completion
    }

    /// The animation ends; its completion is called once.
    public func end(finished: Bool = true) {
      UIView.pendingAnimations.removeAll { $0 === self }
      guard let completion else { return }
      self.completion = nil
      UIView.endedCompletions.append(completion)
      completion(finished)
    }
  }

  /// The animations that run, oldest first.
  public internal(set) static var pendingAnimations: [Running] = []
  // When UIKit releases a completion that it has called is not documented.
  static var endedCompletions: [(Bool) -> Void] = []
  private static var recording: Running?
  /// Whether changes are animated at all. Where they are not, blocks run and completions are called at once.
  public private(set) static var areAnimationsEnabled = true
  /// Switches animations off and on.
  public class func setAnimationsEnabled(_ enabled: Bool) { areAnimationsEnabled = enabled }

  /// Animates changes. The block runs at once, also with a delay. One that takes no time is not animated, and its
  /// completion is called when the run loop turns.
  public class func animate(
    withDuration duration: TimeInterval, delay: TimeInterval, options: UIView.AnimationOptions = [],
    animations: @escaping () -> Void, completion: ((Bool) -> Void)? = nil
  ) {
    let running = Running(duration, delay, options, completion)
    guard areAnimationsEnabled else {
      animations()
      return running.end()
    }
    let outer = recording
    recording = running
    animations()
    recording = outer
    if duration + delay <= 0 {
      StandIn.onNextTurn { running.end() }
    } else {
      pendingAnimations.append(running)
    }
  }

  /// Makes changes that are not animated, although this is called inside an animation.
  public class func performWithoutAnimation(_ actions: () -> Void) {
    let outer = recording
    recording = nil
    actions()
    recording = outer
  }

  static func noteAnimatedChange(of view: UIView, key: String) {
    guard let recording, !recording.changes.contains(where: { $0.view === view && $0.key == key }) else { return }
    recording.changes.append((view, key))
  }

  /// Ends what is animated of a property.
  static func endAnimations(of view: UIView, key: String) {
    for animation in pendingAnimations where animation.changes.contains(where: { $0.view === view }) {
      animation.changes.removeAll { $0.view === view && $0.key == key }
      if animation.changes.isEmpty { animation.end(finished: false) }
    }
  }

  static func removeAnimationsLater(below view: UIView) {
    let removed = pendingAnimations.filter { animation in
      !animation.changes.isEmpty && animation.changes.allSatisfy { $0.view.isDescendant(of: view) }
    }
    for animation in removed {
      pendingAnimations.removeAll { $0 === animation }
      StandIn.onNextTurn { animation.end(finished: false) }
    }
  }
}
