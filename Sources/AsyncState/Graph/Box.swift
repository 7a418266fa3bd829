// SPDX-License-Identifier: MIT
/// An object together with its bindings: it connects a view to the values that the view displays.
///
/// A box keeps its object and the bindings, and releases both together. It may be released on any thread.
///
/// ```swift
/// let indicator = Box(Indicator())
/// indicator.bind(\.isAnimating, to: articles.observed.isRunning)
/// ```
public final class Box<Wrapped> {
  /// The object that the box was made with.
  public let unbox: Wrapped

  private var bindings: [Observer] = []
  private var retained: [Any] = []

  /// A box around `wrapped`, with nothing bound to it yet.
  public init(_ wrapped: Wrapped) {
    unbox = wrapped
  }

  deinit {
    for binding in bindings { binding.end() }
  }

  /// Keeps `reference` as long as the box: a token, a data source, a delegate without another owner.
  public func retain(_ reference: Any) {
    retained.append(reference)
  }

  /// Attaches `child` to this box's object, once and at once, and keeps the child's box with its bindings.
  public func add<Child>(_ child: Box<Child>, attach: (Wrapped, Child) -> Void) {
    attach(unbox, child.unbox)
    retain(child)
  }
}

extension Box where Wrapped: AnyObject {
  /// Sets the property to the current value at once, and to each later one while the box lives.
  @inlinable
  public func bind<T>(_ keyPath: ReferenceWritableKeyPath<Wrapped, T>, to observed: Observed<T>) {
    // Inlinable: the key path is applied where the client's compiler knows the types.
    bind(to: observed) { $0[keyPath: keyPath] = $1 }
  }

  /// Applies the current value to the object at once, and each later one while the box lives.
  @inlinable
  public func bind<T>(to observed: Observed<T>, _ apply: @escaping (Wrapped, T) -> Void) {
    // The binding holds the object, and ends with the box, which holds it as well. So an object that holds the values of its
    // bindings is released with its box.
    let body: (T) -> Void = { [unbox] in apply(unbox, $0) }
    keep(observed.node, body, ValueNode.reaction(body))
  }

  @usableFromInline
  func keep<T>(_ node: ValueNode<T>, _ body: (T) -> Void, _ reaction: @escaping (Reaction) -> Void) {
    bindings.append(node.observer(body, reaction))
  }
}
