// SPDX-License-Identifier: MIT
// What the adapters do with the frameworks themselves. Where there are none, as on Linux, this module is empty; there
// Tests/Platforms/ runs the same tests against its stand-ins, and many more.
//
// So these use nothing but Apple's interface, and need no window that is drawn: what the frameworks call later, or only on a
// screen, is tested against the stand-ins.

#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import Testing
  #if canImport(UIKit)
    import UIKit

    typealias ViewController = UIViewController
    typealias ToolkitView = UIView
    typealias Window = UIWindow
    typealias Table = UITableView
  #else
    import AppKit

    typealias ViewController = NSViewController
    typealias ToolkitView = NSView
    typealias Window = NSWindow
    typealias Table = NSTableView
  #endif

  /// All tests that use UIKit or AppKit, one after another: there is one screen, which displays each status at once.
  @Suite(.serialized, .unpaced)
  enum ToolkitTests {}

  /// A part of a screen, which notes the calls of the framework.
  class Leaf: ViewController {
    let name: String
    private(set) var calls: [String] = []
    var onCall: (String) -> Void = { _ in }

    /// Those of its view, in order.
    var appearances: [String] { calls.filter(["wa", "da", "wd", "dd"].contains) }

    init(_ name: String = "leaf") {
      self.name = name
      super.init(nibName: nil, bundle: nil)
    }
    required init?(coder: NSCoder) { nil }

    override var description: String { name }

    private func note(_ call: String) {
      calls.append(call)
      onCall(call)
    }

    // AppKit would look for a nib.
    override func loadView() { view = ToolkitView(frame: .zero) }
    override func viewDidLoad() {
      super.viewDidLoad()
      note("load")
    }

    #if canImport(UIKit)
      override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        note("wa")
      }
      override func viewIsAppearing(_ animated: Bool) {
        super.viewIsAppearing(animated)
        note("ia")
      }
      override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        note("da")
      }
      override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        note("wd")
      }
      override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        note("dd")
      }
      override func willMove(toParent parent: UIViewController?) {
        super.willMove(toParent: parent)
        note(parent == nil ? "x-" : "x+")
      }
      override func didMove(toParent parent: UIViewController?) {
        super.didMove(toParent: parent)
        note(parent == nil ? "x-!" : "x+!")
      }
    #else
      override func viewWillAppear() {
        super.viewWillAppear()
        note("wa")
      }
      override func viewDidAppear() {
        super.viewDidAppear()
        note("da")
      }
      override func viewWillDisappear() {
        super.viewWillDisappear()
        note("wd")
      }
      override func viewDidDisappear() {
        super.viewDidDisappear()
        note("dd")
      }
    #endif
  }

  extension ViewController {
    /// Contains a child by hand, as an app does.
    func take(_ child: ViewController) {
      addChild(child)
      view.addSubview(child.view)
      #if canImport(UIKit)
        child.didMove(toParent: self)
      #endif
    }
  }
#endif
