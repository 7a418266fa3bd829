/// Whether a container, or a child of one, is on show.
public enum Appearance: Hashable, Sendable {
  /// Not on show.
  case gone
  /// On its way to be.
  case appearing
  /// On show.
  case visible
  /// On its way not to be.
  case disappearing
}
