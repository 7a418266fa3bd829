// SPDX-License-Identifier: MIT
public import Foundation

/// A view with a modifier.
public nonisolated struct ModifiedView<Content: View>: View {
  let content: Content
  var isEnvironment = false
  let attach: @MainActor (Node) -> Void
}
extension ModifiedView: @MainActor Primitive {
  @MainActor func update(_ node: Node) {
    // What changes the environment does so before what is below is drawn.
    if isEnvironment {
      attach(node)
      return node.withNewEnvironment { node.reconcile([("content", content)]) }
    }
    node.reconcile([("content", content)])
    // `task` and its like are not called for a view that has no place.
    if !(content is EmptyView) { attach(node) }
  }
}

/// The task of a view: it starts when the view appears, and is cancelled when it disappears or its id changes.
@MainActor
final class TaskAttachment: Attachment {
  private let id: AnyHashable
  private var task: Task<Void, Never>?
  private var isOver = false

  init(_ id: AnyHashable) { self.id = id }

  func has(_ id: AnyHashable) -> Bool { self.id == id }
  /// Starts it again, when the view appears again.
  private(set) var again: (() -> Void)?

  /// The view disappears, and stays in its place.
  func cover() { task.take()?.cancel() }
  func start(_ priority: TaskPriority, _ action: @escaping @Sendable () async -> Void) {
    again = { [weak self] in self?.start(priority, action) }
    if !isOver { task = Task(priority: priority, operation: action) }
  }
  func waitForEnd() async { await task?.value }
  func end() {
    isOver = true
    task?.cancel()
  }
}

/// The action of `refreshable`. SwiftUI is reported to cancel its task when the view is drawn again.
@MainActor
final class RefreshAttachment: Attachment {
  private let action: @Sendable () async -> Void
  private var tasks: [Task<Void, Never>] = []

  init(_ action: @escaping @Sendable () async -> Void) { self.action = action }

  func run() -> Task<Void, Never> {
    let task = Task(operation: action)
    tasks.append(task)
    return task
  }
  func end() {
    for task in tasks { task.cancel() }
  }
}

@MainActor
final class AppearAttachment: Attachment {
  var action: () -> Void
  init(_ action: @escaping () -> Void) { self.action = action }
  func end() {}
}

@MainActor
final class DisappearAttachment: Attachment {
  let action: () -> Void
  init(_ action: @escaping () -> Void) { self.action = action }
  func end() { action() }
}

@MainActor
private final class ChangeAttachment<Value: Equatable>: Attachment {
  let value: Value
  init(_ value: Value) { self.value = value }
  func end() {}
}

extension View {
  /// Calls `action` after a redraw with another value.
  public nonisolated func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping () -> Void
  ) -> some View {
    onChange(of: value, initial: initial) { _, _ in action() }
  }

  /// Calls `action` with the former and the new value after a redraw with another value. At first both are the same.
  public nonisolated func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
  ) -> some View {
    let parts = UncheckedBox((value, action))
    return modified { node in
      let (value, action) = parts.value
      let former = (node.attachment as? ChangeAttachment<V>)?.value
      node.attachment = ChangeAttachment(value)
      if former.map({ $0 != value }) ?? initial { node.afterDrawing { action(former ?? value, value) } }
    }
  }

  /// Runs `action` while the view is there.
  ///
  /// The strictest form that is documented: the closure inherits no actor.
  public nonisolated func task(
    priority: TaskPriority = .userInitiated, _ action: @escaping @Sendable () async -> Void
  ) -> some View {
    task(id: 0, priority: priority, action)
  }

  /// Runs `action` while the view is there, and anew for each `id`.
  public nonisolated func task(
    id value: some Equatable & Hashable, priority: TaskPriority = .userInitiated,
    _ action: @escaping @Sendable () async -> Void
  ) -> some View {
    let id = UncheckedBox(AnyHashable(value))
    return modified { node in
      if (node.attachment as? TaskAttachment)?.has(id.value) == true { return }
      node.attachment?.end()
      let attachment = TaskAttachment(id.value)
      node.attachment = attachment
      node.note(attachment)
      node.afterDrawing { attachment.start(priority, action) }
    }
  }

  /// Lets the user refresh. The closure inherits no actor, in any version.
  public nonisolated func refreshable(action: @escaping @Sendable () async -> Void) -> some View {
    environment { node in
      node.attachment?.end()
      let attachment = RefreshAttachment(action)
      node.attachment = attachment
      node.transform = { $0.refresh = RefreshAction(attachment: attachment) }
    }
  }

  /// Calls `action` when the view appears.
  public nonisolated func onAppear(perform action: (() -> Void)? = nil) -> some View {
    let action = UncheckedBox(action)
    return modified { node in
      // When it appears again, the action is that of the last drawing.
      if let former = node.attachment as? AppearAttachment { return former.action = { action.value?() } }
      node.attachment = AppearAttachment { action.value?() }
      node.afterDrawing { action.value?() }
    }
  }

  /// Calls `action` when the view disappears.
  public nonisolated func onDisappear(perform action: (() -> Void)? = nil) -> some View {
    let action = UncheckedBox(action)
    return modified { node in node.attachment = DisappearAttachment { action.value?() } }
  }

  /// Gives the view an identity: one with another id is another view.
  public nonisolated func id(_ id: some Hashable) -> some View {
    let parts = UncheckedBox((AnyHashable(id), self))
    return IdentifiedView(parts: parts)
  }

  /// Puts a view in front.
  public nonisolated func overlay<Front: View>(
    alignment: Alignment = .center, @ViewBuilder content: @escaping () -> Front
  ) -> some View {
    let parts = UncheckedBox((self, content))
    return Deferred { ZStack { TupleView((), [parts.value.0, parts.value.1()]) } }
  }

  /// Puts a view beside this one, at an edge of the safe area.
  public nonisolated func safeAreaInset<Inset: View>(
    edge: VerticalEdge, alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Inset
  ) -> some View {
    let views: [any View] = edge == .top ? [content(), self] : [self, content()]
    let parts = UncheckedBox(views)
    return Deferred { TupleView((), parts.value) }
  }

  /// Animates what changes below together with `value`. A host counts it.
  public nonisolated func animation<V: Equatable>(_ animation: Animation?, value: V) -> some View {
    let value = UncheckedBox(value)
    return modified { node in
      let former = (node.attachment as? ChangeAttachment<V>)?.value
      node.attachment = ChangeAttachment(value.value)
      if let former, former != value.value, let animation { node.noteAnimation(animation) }
    }
  }

  /// A field to search in, above the view. A host types into it.
  @MainActor public func searchable(text: Binding<String>) -> some View { modified { $0.searchText = text } }

  /// A title, which is not drawn.
  public nonisolated func navigationTitle(_ title: String) -> some View { modified { _ in } }

  /// What VoiceOver reads.
  public nonisolated func accessibilityLabel(_ label: Text) -> some View { modified { $0.label = label.text } }
  /// Makes one element for VoiceOver of the view and those below.
  public nonisolated func accessibilityElement(children: AccessibilityChildBehavior) -> some View { modified { _ in } }
  /// How the view stands out. Not drawn.
  public nonisolated func background<S: ShapeStyle>(_ style: S) -> some View { modified { _ in } }
  /// How many lines a text has at most. Not drawn.
  public nonisolated func lineLimit(_ number: Int?) -> some View { modified { $0.lineLimit = number } }
  /// Space around the view. Not drawn.
  public nonisolated func padding(_ length: CGFloat? = nil) -> some View { modified { _ in } }
  /// How large a text is. Not drawn.
  public nonisolated func font(_ font: Font?) -> some View { modified { _ in } }
  /// Draws placeholders instead of the content.
  public nonisolated func redacted(reason: RedactionReasons) -> some View {
    transformEnvironment(\.redactionReasons) { $0 = reason }
  }
  /// Whether the user can touch it. Not drawn.
  public nonisolated func disabled(_ disabled: Bool) -> some View { modified { _ in } }
  /// Whether VoiceOver does not find the view.
  public nonisolated func accessibilityHidden(_ hidden: Bool) -> some View { modified { _ in } }

  nonisolated func environment(_ attach: @escaping @MainActor (Node) -> Void) -> ModifiedView<Self> {
    ModifiedView(content: self, isEnvironment: true, attach: attach)
  }

  nonisolated func modified(_ attach: @escaping @MainActor (Node) -> Void) -> ModifiedView<Self> {
    ModifiedView(content: self, attach: attach)
  }
}

struct IdentifiedView<Content: View>: View {
  let parts: UncheckedBox<(AnyHashable, Content)>
}
extension IdentifiedView: @MainActor Primitive {
  func update(_ node: Node) { node.reconcile([parts.value]) }
}

/// Views are made where they are not isolated, and drawn on the main actor, as SwiftUI does it.
struct UncheckedBox<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}

struct Deferred<Content: View>: View {
  let make: @MainActor () -> Content
  nonisolated init(_ make: @escaping @MainActor () -> Content) { self.make = make }
}
extension Deferred: Primitive {
  func update(_ node: Node) { node.reconcile([("deferred", make())]) }
}

/// An edge above or below.
public enum VerticalEdge: Sendable {
  /// The upper edge.
  case top
  /// The lower edge.
  case bottom
}

/// Where something is put from left to right.
public struct HorizontalAlignment: Sendable {
  /// The middle.
  public static let center = HorizontalAlignment()
}

/// Where something is put.
public enum Alignment: Sendable {
  /// The middle.
  case center
  /// The upper edge.
  case top
  /// The lower edge.
  case bottom
}

/// How something moves.
public struct Animation: Hashable, Sendable {
  private let name: String
  /// As the system likes.
  public static let `default` = Animation(name: "default")
  /// Slowly at both ends.
  public static let easeInOut = Animation(name: "easeInOut")
}
