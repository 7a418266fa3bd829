// SPDX-License-Identifier: MIT
#if canImport(UIKit)
  public import UIKit
#elseif canImport(AppKit)
  public import AppKit
#endif

/// A place in the tree of views: what has an identity.
@MainActor
final class Node {
  private let host: ViewHost
  let depth: Int
  private(set) var view: any View
  private var children: [(key: AnyHashable, node: Node)] = []
  private var locations: [StateLocation] = []
  var attachment: (any Attachment)?
  /// What VoiceOver reads instead of what is drawn.
  var label: String?
  /// How many lines texts have at most; nil: any number.
  var lineLimit: Int?
  /// The text of a field to search in.
  var searchText: Binding<String>?
  /// What a modifier changes for all below.
  var transform: ((inout EnvironmentValues) -> Void)?
  private weak var parent: Node?

  init(_ view: any View, depth: Int, host: ViewHost, parent: Node? = nil) {
    self.view = view
    self.depth = depth
    self.host = host
    self.parent = parent
    update(view)
  }

  /// The environment of what is below.
  var environment: EnvironmentValues {
    var values = inherited
    transform?(&values)
    return values
  }
  private var inherited: EnvironmentValues { parent?.environment ?? EnvironmentValues() }

  var isLeaf: Bool { children.isEmpty }

  /// The tree below, from top to bottom.
  var all: [Node] { [self] + children.flatMap(\.node.all) }

  /// Another value for the same identity, or the same value after something that it read has changed.
  func update(_ view: any View) {
    self.view = view
    host.clean(self)
    if let primitive = view as? any Primitive { return primitive.update(self) }
    #if canImport(UIKit)
      if let controller = view as? any UIViewControllerRepresentable {
        return controller.drawController(self, in: host.controller, host.transaction)
      }
      if let view = view as? any UIViewRepresentable {
        return view.drawView(self, in: host.controller, host.transaction)
      }
    #elseif canImport(AppKit)
      if let controller = view as? any NSViewControllerRepresentable {
        return controller.drawController(self, in: host.controller, host.transaction)
      }
      if let view = view as? any NSViewRepresentable {
        return view.drawView(self, in: host.controller, host.transaction)
      }
    #endif
    reconcile([("body", evaluate(view))])
  }

  private func evaluate<Content: View>(_ view: Content) -> any View {
    connectState(of: view)
    host.count(Content.self)
    return withObservationTracking {
      Drawing.run { view.body }
    } onChange: { [weak self] in
      MainActor.assumeIsolated { self?.setNeedsUpdate() }
    }
  }

  func note(_ task: TaskAttachment) { host.tasks.append(task) }
  func noteAnimation(_ animation: Animation) { host.animations.append(animation) }
  func afterDrawing(_ body: @escaping () -> Void) { host.appearances.append(body) }
  /// Draws what is below with another environment.
  func withNewEnvironment(_ body: () -> Void) { host.withNewEnvironment(body) }
  func setNeedsUpdate() { host.markDirty(self) }

  private func connectState(of view: any View) {
    let all = Self.properties(of: view)
    for case let property as any EnvironmentProperty in all { property.link.values = inherited }
    let properties = all.compactMap { $0 as? any StateProperty }
    if locations.isEmpty { locations = properties.map { $0.makeLocation() } }
    for (property, location) in zip(properties, locations) {
      location.didWrite = { [weak self] location, value in
        let value = UncheckedBox((location, value))
        MainActor.assumeIsolated {
          guard let self else { return value.value.0.draw(value.value.1) }
          self.host.note(value.value.1, at: value.value.0, of: self)
        }
      }
      property.link.location = location
    }
  }

  /// The properties of a view, and those of its wrappers.
  private static func properties(of value: Any) -> [any DynamicProperty] {
    Mirror(reflecting: value).children.compactMap { $0.value as? any DynamicProperty }
      .flatMap { $0 is any StateProperty || $0 is any EnvironmentProperty ? [$0] : properties(of: $0) }
  }

  /// Children with the same key and type keep their identity; others are removed and made.
  func reconcile(_ list: [(AnyHashable, any View)]) {
    var former = children
    children = list.map { key, view in
      if let index = former.firstIndex(where: { $0.key == key && type(of: $0.node.view) == type(of: view) }) {
        let kept = former.remove(at: index)
        kept.node.follow(view)
        return kept
      }
      return (key, Node(view, depth: depth + 1, host: host, parent: self))
    }
    for entry in former { entry.node.remove() }
  }

  /// The value that a parent has drawn: nothing is drawn again for equal inputs, unless the environment has changed.
  private func follow(_ next: any View) {
    guard Inputs.areEqual(view, next) else { return update(next) }
    if host.isEnvironmentNew { followEnvironment() }
  }

  private func followEnvironment() {
    let values = inherited
    let properties = Self.properties(of: view).compactMap { $0 as? any EnvironmentProperty }
    if properties.contains(where: { $0.differs(in: values) }) { return update(view) }
    // What was in the former environment is not kept.
    for property in properties { property.link.values = values }
    for entry in children { entry.node.followEnvironment() }
  }

  func remove() {
    for entry in children { entry.node.remove() }
    children = []
    if let attachment = attachment.take() { host.disappearances.append(attachment.end) }
    host.forget(self)
  }
}

extension Optional {
  fileprivate mutating func take() -> Wrapped? {
    defer { self = nil }
    return self
  }
}

/// What happens when a view is replaced by one with another identity. Nothing of this exists in SwiftUI.
public enum IdentityChange: CaseIterable, Sendable {
  /// The new view appears, and then the former one disappears: what SwiftUI does by default.
  case appearsFirst
  /// The former view disappears first, as with `.transition(.identity)`.
  case disappearsFirst

  /// The order for the hosts that are made from now on.
  @TaskLocal public static var order = IdentityChange.appearsFirst
}

/// What a modifier keeps at its node: a task, an action.
@MainActor
protocol Attachment: AnyObject {
  func end()
}

/// An update that is to be drawn.
@MainActor
struct PendingUpdate {
  let update: Update
  /// Everything is drawn, with new values of all views.
  var isFromTop = false
  var nodes: [Node] = []
  var writes: [(location: StateLocation, value: Any)] = []
  var transaction: Transaction { update.transaction }
}

/// What a test uses to draw views, and to do what users do. Nothing of this exists in SwiftUI.
@MainActor
public final class ViewHost {
  private var root: Node?
  /// What is to be drawn, in the order in which it was changed.
  private var pending: [PendingUpdate] = []
  private var openEnvironments = 0
  var isEnvironmentNew: Bool { openEnvironments > 0 }
  private var counts: [String: Int] = [:]
  private let make: () -> any View
  var appearances: [() -> Void] = []
  var disappearances: [() -> Void] = []
  private let order = IdentityChange.order
  /// What was animated, for tests.
  public internal(set) var animations: [Animation] = []
  var tasks: [TaskAttachment] = []

  /// How the current drawing is animated.
  private(set) var transaction = Transaction()

  #if canImport(UIKit) || canImport(AppKit)
    /// What contains the controllers of views.
    private(set) weak var controller: StandInController?

    /// Draws what `make` gives, in a controller.
    public convenience init(in controller: StandInController, _ make: @escaping () -> any View) {
      self.init(make, prepare: { $0.controller = controller })
    }
  #endif

  /// Draws what `make` returns, which is called again at each redraw from the top.
  public convenience init(_ make: @escaping () -> any View) { self.init(make, prepare: { _ in }) }

  private init(_ make: @escaping () -> any View, prepare: (ViewHost) -> Void) {
    self.make = make
    prepare(self)
    root = Node(make(), depth: 0, host: self)
    finish()
  }

  /// Draws what has changed: once for each update.
  public func draw() {
    if pending.isEmpty { return finish() }
    while let update = pending.first {
      transaction = update.transaction
      for write in update.writes { write.location.draw(write.value) }
      if update.isFromTop {
        pending[0].isFromTop = false
        root?.update(make())
      }
      // Parents first; drawing them may remove others, or make them clean.
      while let next = pending[0].nodes.min(by: { $0.depth < $1.depth }) { next.update(next.view) }
      pending.removeFirst()
      transaction = Transaction()
      finish()
    }
  }

  /// Draws everything anew, from the top, with new values of all views.
  public func redraw() {
    currentUpdate { $0.isFromTop = true }
    draw()
  }

  /// Another screen covers this one, as in a navigation stack or a tab: its tasks are cancelled, its views disappear, and
  /// its state stays.
  public func cover() {
    for node in root?.all ?? [] {
      (node.attachment as? TaskAttachment)?.cover()
      (node.attachment as? DisappearAttachment)?.action()
    }
  }

  /// The screen is back: it is drawn, and its views appear.
  public func uncover() {
    draw()
    for node in root?.all ?? [] {
      (node.attachment as? TaskAttachment)?.again?()
      (node.attachment as? AppearAttachment)?.action()
    }
  }

  /// Removes everything.
  public func close() {
    root?.remove()
    root = nil
    finish()
  }

  /// Suspends until all tasks of views have ended, also those of views that have disappeared.
  public func waitForTasks() async {
    while !tasks.isEmpty { await tasks.removeLast().waitForEnd() }
  }

  private func finish() {
    while !appearances.isEmpty || !disappearances.isEmpty {
      let appearsNext = order == .appearsFirst ? !appearances.isEmpty : disappearances.isEmpty
      if appearsNext { appearances.removeFirst()() } else { disappearances.removeFirst()() }
    }
  }

  func markDirty(_ node: Node) {
    currentUpdate { update in
      if !update.nodes.contains(where: { $0 === node }) { update.nodes.append(node) }
    }
  }
  func note(_ value: Any, at location: StateLocation, of node: Node) {
    // What is written while bodies are called belongs to what they draw.
    if Drawing.isOpen { location.draw(value) } else { currentUpdate { $0.writes.append((location, value)) } }
    markDirty(node)
  }
  /// A change belongs to the last update if that is the current one, and to one of its own otherwise.
  private func currentUpdate(_ change: (inout PendingUpdate) -> Void) {
    if pending.last?.update !== Update.current { pending.append(PendingUpdate(update: .current)) }
    change(&pending[pending.count - 1])
  }
  /// A node is drawn by the first update that concerns it.
  func clean(_ node: Node) {
    if !pending.isEmpty { pending[0].nodes.removeAll { $0 === node } }
  }
  func forget(_ node: Node) {
    for index in pending.indices { pending[index].nodes.removeAll { $0 === node } }
  }
  func withNewEnvironment(_ body: () -> Void) {
    openEnvironments += 1
    body()
    openEnvironments -= 1
  }
  func count<Content: View>(_ type: Content.Type) { counts["\(type)".prefixUpToBracket, default: 0] += 1 }

  /// How often the body of a type was called. The name is without generic parameters.
  public func redraws(of type: String) -> Int { counts[type] ?? 0 }

  private var nodes: [Node] { root?.all ?? [] }

  /// All texts, from top to bottom.
  public var texts: [String] {
    // A cast looks into an optional view; that one has a child.
    nodes.filter(\.isLeaf).compactMap { ($0.view as? any Textual)?.text }
  }

  /// What VoiceOver reads instead of what is drawn, from top to bottom.
  public var labels: [String] { nodes.compactMap(\.label) }

  /// The limits of lines that texts have.
  public var lineLimits: [Int] { nodes.compactMap(\.lineLimit) }

  /// How the views in a layout are arranged, from top to bottom of the tree.
  public var layouts: [String] {
    nodes.compactMap { ($0.view as? any Arranged)?.arrangement }
  }

  /// Presses the button with this title.
  public func press(_ title: String) -> Bool {
    guard
      let button = nodes.first(where: { node in
        node.view is any Pressable
          && node.all.contains { ($0.view as? any Textual)?.text == title || $0.label == title }
      })
    else { return false }
    (button.view as? any Pressable)?.press()
    draw()
    return true
  }

  /// Types into the first text field, or field to search in.
  public func type(_ text: String) {
    nodes.lazy.compactMap { $0.searchText ?? ($0.view as? TextField)?.text }.first?.wrappedValue = text
    draw()
  }

  /// Pulls a list: what the environment of the list says runs in a task, which is returned; nil if it cannot be pulled.
  public func pullList(_ number: Int = 0) -> Task<Void, Never>? {
    let lists = nodes.filter { $0.view is any Pullable }
    return lists.indices.contains(number) ? lists[number].environment.refresh?.attachment.run() : nil
  }

  /// Pulls to refresh: the action of the first `refreshable` runs in a task, which is returned.
  public func refresh() -> Task<Void, Never>? {
    nodes.lazy.compactMap { $0.attachment as? RefreshAttachment }.first?.run()
  }
}

extension String {
  fileprivate var prefixUpToBracket: String { String(prefix { $0 != "<" }) }
}
