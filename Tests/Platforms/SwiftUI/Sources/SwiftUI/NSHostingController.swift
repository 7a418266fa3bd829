// SPDX-License-Identifier: MIT
#if canImport(AppKit)
  public import AppKit

  /// A view controller of AppKit that displays a view. The view is drawn while the controller is visible.
  open class NSHostingController<Content: View>: NSViewController, Hosting {
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
    /// An empty view.
    open override func loadView() { view = NSView() }
    /// Draws the view.
    open override func viewDidAppear() {
      super.viewDidAppear()
      host = ViewHost(in: self) { [weak self] in
        if let self { return rootView }
        return EmptyView()
      }
    }
    /// Removes the view.
    open override func viewDidDisappear() {
      super.viewDidDisappear()
      host?.close()
      host = nil
    }
  }

  /// A view of AppKit that displays a view. It is drawn while it is in a window.
  open class NSHostingView<Content: View>: NSView, Hosting {
    /// The view.
    open var rootView: Content { didSet { host?.redraw() } }
    /// What draws the view, for tests; nil outside of a window.
    public private(set) var host: ViewHost?

    /// A view of a view.
    public required init(rootView: Content) {
      self.rootView = rootView
      super.init(frame: .zero)
    }
    /// Not used here.
    public required init?(coder: NSCoder) { nil }
    /// Draws the view, or removes it.
    open override func viewDidMoveToWindow() {
      super.viewDidMoveToWindow()
      host?.close()
      host =
        window == nil
        ? nil
        : ViewHost { [weak self] in
          if let self { return rootView }
          return EmptyView()
        }
    }
  }
#endif
