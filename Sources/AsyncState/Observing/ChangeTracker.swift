public import Observation

/// Tells Observation what is read of an object and what changes in it.
///
/// This is not the macro's way, for two reasons. A key path into a generic class is built anew each time it is named,
/// so the key paths here are those of one plain class. And Observation calls each `onChange` once, so what nobody has
/// read since its last change need not be told at all. Nothing is allocated before the first read.
@usableFromInline
struct ChangeTracking {
  @usableFromInline var tracker: ChangeTracker?

  @inlinable
  init() {}

  /// Somebody reads.
  @usableFromInline
  mutating func access(_ facet: Facet) {
    if tracker == nil { tracker = ChangeTracker() }
    tracker.unsafelyUnwrapped.access(facet)
  }

  /// Calls `change`, and tells whoever has read `facet` since it changed last.
  @inlinable
  func changing(_ facet: Facet, _ change: () -> Void) {
    guard let tracker, tracker.isRead(facet) else { return change() }
    tracker.willChange(facet)
    change()
    tracker.didChange(facet)
  }
}

/// The parts of an object that are tracked apart from each other.
@usableFromInline
enum Facet: UInt8 {
  /// What an `AsyncData` knows.
  case facts
  /// The state that a container is in.
  case state
  /// The surface of a container.
  case children
  /// Whether a container is on its way from one state to another.
  case isTransitioning
  /// Whether a container is on the screen.
  case appearance
  /// The part of a status board that shows.
  case visiblePart

  @inlinable
  var bit: UInt8 { 1 << rawValue }

  fileprivate var keyPath: KeyPath<ChangeTracker, Void> {
    switch self {
    case .facts: \.facts
    case .state: \.state
    case .children: \.children
    case .isTransitioning: \.isTransitioning
    case .appearance: \.appearance
    case .visiblePart: \.visiblePart
    }
  }
}

/// Stands for a generic object wherever Observation wants a key path.
@usableFromInline
final class ChangeTracker: Observable {
  private let registrar = ObservationRegistrar()

  /// The facets that were read since they changed last, a bit each.
  @exclusivity(unchecked) @usableFromInline var read: UInt8 = 0

  fileprivate var facts: Void { () }
  fileprivate var state: Void { () }
  fileprivate var children: Void { () }
  fileprivate var isTransitioning: Void { () }
  fileprivate var appearance: Void { () }
  fileprivate var visiblePart: Void { () }

  @inlinable
  func isRead(_ facet: Facet) -> Bool { read & facet.bit != 0 }

  func access(_ facet: Facet) {
    read |= facet.bit
    registrar.access(self, keyPath: facet.keyPath)
  }

  @usableFromInline
  func willChange(_ facet: Facet) {
    // Before anybody hears: whoever reads while hearing has to hear again.
    read &= ~facet.bit
    registrar.willSet(self, keyPath: facet.keyPath)
  }

  @usableFromInline
  func didChange(_ facet: Facet) {
    registrar.didSet(self, keyPath: facet.keyPath)
  }
}
