// SPDX-License-Identifier: MIT
#if canImport(UIKit)
  public import UIKit
#elseif canImport(AppKit)
  public import AppKit
#endif

/// How a change is animated.
public struct Transaction {
  /// The animation of the change; nil for none.
  public var animation: Animation?
  /// Whether animations of views are switched off.
  public var disablesAnimations = false
  /// A change that is not animated.
  public init() {}
}

/// Changes that are drawn together: those inside one `withAnimation`, or those outside of any.
@MainActor
final class Update {
  let transaction: Transaction
  init(_ transaction: Transaction) { self.transaction = transaction }

  /// The update that a change belongs to now.
  static private(set) var current = Update(Transaction())

  static func run<Result>(_ transaction: Transaction, _ body: () throws -> Result) rethrows -> Result {
    let outer = current
    current = Update(transaction)
    defer { current = outer }
    return try body()
  }
}

/// Makes changes that are drawn by themselves, and animated. What was changed before is drawn before.
@MainActor
public func withAnimation<Result>(_ animation: Animation? = .default, _ body: () throws -> Result) rethrows -> Result {
  var transaction = Transaction()
  transaction.animation = animation
  return try Update.run(transaction, body)
}

#if canImport(UIKit) || canImport(AppKit)
  /// What a view of a controller gets when that is made, and when the view is drawn again.
  public struct ControllerContext<Coordinator> {
    /// What the view keeps while it has its identity.
    public let coordinator: Coordinator
    /// How this drawing is animated.
    public let transaction: Transaction
  }

  /// Places a controller of a view, which is contained in the controller that hosts the view.
  @MainActor
  final class ControllerAttachment<Controller: StandInController, Coordinator>: Attachment {
    let controller: Controller
    let coordinator: Coordinator

    init(_ controller: Controller, _ coordinator: Coordinator, in host: StandInController?) {
      (self.controller, self.coordinator) = (controller, coordinator)
      guard let host else { return }
      host.addChild(controller)
      host.view.addSubview(controller.view)
      #if canImport(UIKit)
        controller.didMove(toParent: host)
      #endif
    }

    func end() {
      #if canImport(UIKit)
        controller.willMove(toParent: nil)
      #endif
      controller.view.removeFromSuperview()
      controller.removeFromParent()
    }
  }

  /// Places a view of a view.
  @MainActor
  final class ViewAttachment<Content: StandInView, Coordinator>: Attachment {
    let view: Content
    let coordinator: Coordinator

    init(_ view: Content, _ coordinator: Coordinator, in host: StandInController?) {
      (self.view, self.coordinator) = (view, coordinator)
      host?.view.addSubview(view)
    }

    func end() { view.removeFromSuperview() }
  }

  extension Node {
    /// What was placed for this identity: now, or at a former drawing.
    func placed<Placed: Attachment>(_ place: () -> Placed) -> Placed {
      if let former = attachment as? Placed { return former }
      let new = place()
      attachment = new
      return new
    }
  }

  /// What displays a view, for tests.
  @MainActor
  public protocol Hosting: AnyObject {
    /// What draws the view; nil while it is not displayed.
    var host: ViewHost? { get }
  }
#endif

#if canImport(UIKit)
  /// A view controller of UIKit as a view.
  @MainActor @preconcurrency
  public protocol UIViewControllerRepresentable: View where Body == Never {
    /// The controller.
    associatedtype UIViewControllerType: UIViewController
    /// What the view keeps.
    associatedtype Coordinator = Void
    /// What the methods get.
    typealias Context = ControllerContext<Coordinator>
    /// Makes the controller, once for an identity.
    func makeUIViewController(context: Context) -> UIViewControllerType
    /// Called after the controller was made, and at each drawing.
    func updateUIViewController(_ uiViewController: UIViewControllerType, context: Context)
    /// Makes what the view keeps, before the controller.
    func makeCoordinator() -> Coordinator
  }
  extension UIViewControllerRepresentable where Coordinator == Void {
    /// Nothing.
    public func makeCoordinator() {}
  }
  extension UIViewControllerRepresentable {
    func drawController(_ node: Node, in host: StandInController?, _ transaction: Transaction) {
      let placed = node.placed {
        let coordinator = makeCoordinator()
        let context = Context(coordinator: coordinator, transaction: transaction)
        return ControllerAttachment(makeUIViewController(context: context), coordinator, in: host)
      }
      let context = Context(coordinator: placed.coordinator, transaction: transaction)
      updateUIViewController(placed.controller, context: context)
    }
  }

  /// A view of UIKit as a view.
  @MainActor @preconcurrency
  public protocol UIViewRepresentable: View where Body == Never {
    /// The view.
    associatedtype UIViewType: UIView
    /// What the view keeps.
    associatedtype Coordinator = Void
    /// What the methods get.
    typealias Context = UIViewRepresentableContext<Self>
    /// Makes the view, once for an identity.
    func makeUIView(context: Context) -> UIViewType
    /// Called after the view was made, and at each drawing.
    func updateUIView(_ uiView: UIViewType, context: Context)
    /// Makes what the view keeps, before the view.
    func makeCoordinator() -> Coordinator
  }
  /// What a view gets when it is made, and when it is drawn again.
  public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {
    /// What the view keeps while it has its identity.
    public let coordinator: Representable.Coordinator
    /// How this drawing is animated.
    public let transaction: Transaction
  }
  extension UIViewRepresentable where Coordinator == Void {
    /// Nothing.
    public func makeCoordinator() {}
  }
  extension UIViewRepresentable {
    func drawView(_ node: Node, in host: StandInController?, _ transaction: Transaction) {
      let placed = node.placed {
        let coordinator = makeCoordinator()
        let context = Context(coordinator: coordinator, transaction: transaction)
        return ViewAttachment(makeUIView(context: context), coordinator, in: host)
      }
      updateUIView(placed.view, context: Context(coordinator: placed.coordinator, transaction: transaction))
    }
  }

  /// A view controller of UIKit that displays a view while it is visible.
  open class UIHostingController<Content: View>: UIViewController, Hosting {
    /// The view.
    open var rootView: Content { didSet { host?.redraw() } }
    /// What draws the view, for tests; nil while it is not visible.
    public private(set) var host: ViewHost?

    /// A controller of a view.
    public init(rootView: Content) {
      self.rootView = rootView
      super.init(nibName: nil, bundle: nil)
    }
    /// Not used here.
    public required init?(coder: NSCoder) { nil }
    /// Draws the view.
    open override func viewWillAppear(_ animated: Bool) {
      super.viewWillAppear(animated)
      if host == nil {
        host = ViewHost(in: self) { [weak self] in self.map { $0.rootView as any View } ?? EmptyView() }
      }
    }
    /// Removes the view.
    open override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      let former = host
      host = nil
      // The children disappear after this.
      StandIn.onNextTurn { former?.close() }
    }
  }

  /// A view as the content of a cell.
  ///
  /// Whether the states of a view last when a cell gets a configuration of another row is not documented. Here they do.
  public struct UIHostingConfiguration<Content: View, Background: View>: UIContentConfiguration {
    let content: Content
    /// Makes the view that draws it.
    public func makeContentView() -> any UIView & UIContentView { HostingContentView(self) }
    /// The same in every state.
    public func updated(for state: any UIConfigurationState) -> Self { self }
  }
  extension UIHostingConfiguration where Background == EmptyView {
    /// The content of a cell.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
  }

  /// Draws the view of a cell while that is in a window.
  final class HostingContentView<Content: View, Background: View>: UIView, UIContentView, Hosting {
    private var shown: UIHostingConfiguration<Content, Background>
    private(set) var host: ViewHost?

    init(_ configuration: UIHostingConfiguration<Content, Background>) {
      shown = configuration
      super.init(frame: .zero)
    }
    required init?(coder: NSCoder) { nil }

    var configuration: any UIContentConfiguration {
      get { shown }
      set {
        guard let next = newValue as? UIHostingConfiguration<Content, Background> else { return }
        shown = next
        host?.redraw()
      }
    }

    override func didMoveToWindow() {
      super.didMoveToWindow()
      host?.close()
      host = window == nil ? nil : ViewHost { [weak self] in self.map { $0.shown.content as any View } ?? EmptyView() }
    }
  }
#elseif canImport(AppKit)
  /// A view controller of AppKit as a view.
  @MainActor @preconcurrency
  public protocol NSViewControllerRepresentable: View where Body == Never {
    /// The controller.
    associatedtype NSViewControllerType: NSViewController
    /// What the view keeps.
    associatedtype Coordinator = Void
    /// What the methods get.
    typealias Context = ControllerContext<Coordinator>
    /// Makes the controller, once for an identity.
    func makeNSViewController(context: Context) -> NSViewControllerType
    /// Called after the controller was made, and at each drawing.
    func updateNSViewController(_ nsViewController: NSViewControllerType, context: Context)
    /// Makes what the view keeps, before the controller.
    func makeCoordinator() -> Coordinator
  }
  extension NSViewControllerRepresentable where Coordinator == Void {
    /// Nothing.
    public func makeCoordinator() {}
  }
  extension NSViewControllerRepresentable {
    func drawController(_ node: Node, in host: StandInController?, _ transaction: Transaction) {
      let placed = node.placed {
        let coordinator = makeCoordinator()
        let context = Context(coordinator: coordinator, transaction: transaction)
        return ControllerAttachment(makeNSViewController(context: context), coordinator, in: host)
      }
      let context = Context(coordinator: placed.coordinator, transaction: transaction)
      updateNSViewController(placed.controller, context: context)
    }
  }

  /// A view of AppKit as a view.
  @MainActor @preconcurrency
  public protocol NSViewRepresentable: View where Body == Never {
    /// The view.
    associatedtype NSViewType: NSView
    /// What the view keeps.
    associatedtype Coordinator = Void
    /// What the methods get.
    typealias Context = NSViewRepresentableContext<Self>
    /// Makes the view, once for an identity.
    func makeNSView(context: Context) -> NSViewType
    /// Called after the view was made, and at each drawing.
    func updateNSView(_ nsView: NSViewType, context: Context)
    /// Makes what the view keeps, before the view.
    func makeCoordinator() -> Coordinator
  }
  /// What a view gets when it is made, and when it is drawn again.
  public struct NSViewRepresentableContext<Representable: NSViewRepresentable> {
    /// What the view keeps while it has its identity.
    public let coordinator: Representable.Coordinator
    /// How this drawing is animated.
    public let transaction: Transaction
  }
  extension NSViewRepresentable where Coordinator == Void {
    /// Nothing.
    public func makeCoordinator() {}
  }
  extension NSViewRepresentable {
    func drawView(_ node: Node, in host: StandInController?, _ transaction: Transaction) {
      let placed = node.placed {
        let coordinator = makeCoordinator()
        let context = Context(coordinator: coordinator, transaction: transaction)
        return ViewAttachment(makeNSView(context: context), coordinator, in: host)
      }
      updateNSView(placed.view, context: Context(coordinator: placed.coordinator, transaction: transaction))
    }
  }
#endif
