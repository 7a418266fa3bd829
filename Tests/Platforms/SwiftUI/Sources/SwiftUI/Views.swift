// SPDX-License-Identifier: MIT
public import Foundation

@MainActor protocol Textual { var text: String { get } }
@MainActor protocol Pressable { func press() }

/// A text.
public struct Text: View, Textual {
  let text: String
  /// A text.
  public nonisolated init(_ content: some StringProtocol) { text = String(content) }
}
extension Text: Primitive {
  func update(_ node: Node) {}
}
extension Text {
  /// The translation of a key in a bundle.
  public nonisolated init(
    _ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil, comment: StaticString? = nil
  ) {
    text = (bundle ?? .main).localizedString(forKey: key.key, value: nil, table: tableName)
  }
  /// A text as it is.
  public nonisolated init(verbatim content: String) { text = content }
}

/// The key of a translation. In SwiftUI a literal is one, too.
public struct LocalizedStringKey: Equatable, Sendable {
  let key: String
  /// A key.
  public init(_ value: String) { key = value }
}

/// A picture.
public struct Image: View {
  /// A symbol of the system.
  public nonisolated init(systemName: String) {}
}
extension Image: Primitive {
  func update(_ node: Node) {}
}

/// A view of any type.
public struct AnyView: View {
  private let view: any View
  /// A view.
  public init(_ view: some View) { self.view = view }
}
extension AnyView: Primitive {
  func update(_ node: Node) { node.reconcile([("any", view)]) }
}

/// Takes the space that is left.
public struct Spacer: View {
  /// Takes the space that is left.
  public nonisolated init() {}
}
extension Spacer: Primitive {
  func update(_ node: Node) {}
}

@MainActor protocol Pullable {}
extension List: Pullable {}

/// A wheel that turns. Read as "loading" by tests.
public struct ProgressView<Title: View, CurrentValueLabel: View>: View, Textual {
  let text = "(progress)"
}
extension ProgressView where Title == EmptyView, CurrentValueLabel == EmptyView {
  /// A wheel.
  public nonisolated init() {}
}
extension ProgressView: Primitive {
  func update(_ node: Node) {}
}

/// A title with a symbol.
public struct Label<Title: View, Icon: View>: View {
  private let title: Title
  private let icon: Icon
  /// A label.
  public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
    (self.title, self.icon) = (title(), icon())
  }
}
extension Label where Title == Text, Icon == Image {
  /// A label with a symbol of the system.
  public init(_ title: some StringProtocol, systemImage: String) {
    self.init {
      Text(title)
    } icon: {
      Image(systemName: systemImage)
    }
  }
}
extension Label: Primitive {
  func update(_ node: Node) { node.reconcile([("icon", icon), ("title", title)]) }
}

/// A button.
public struct Button<Title: View>: View, Pressable {
  private let action: @MainActor () -> Void
  private let label: Title
  /// A button with a view as its label.
  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Title) {
    self.action = action
    self.label = label()
  }
  func press() { action() }
}
extension Button where Title == Text {
  /// A button with a title.
  public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) {
    self.init(action: action) { Text(title) }
  }
}
extension Button: Primitive {
  func update(_ node: Node) { node.reconcile([("label", label)]) }
}

/// A line of text that the user edits.
public struct TextField: View {
  let title: String
  let text: Binding<String>
  /// A text field.
  public init(_ title: some StringProtocol, text: Binding<String>) {
    self.title = String(title)
    self.text = text
  }
}
extension TextField: Primitive {
  func update(_ node: Node) {}
}
/// Views side by side, in each of its forms.
public struct Stack<Content: View>: View {
  private let content: Content
  /// A stack.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
}
extension Stack: Primitive {
  func update(_ node: Node) { node.reconcile([("content", content)]) }
}
/// From back to front.
public typealias ZStack = Stack
/// From top to bottom.
public typealias VStack = Stack
/// From left to right.
public typealias HStack = Stack
/// The layout of a stack.
public protocol Layout: Sendable {}
/// From left to right, as a layout.
public struct HStackLayout: Layout {
  /// A layout.
  public init() {}
}
/// From top to bottom, as a layout.
public struct VStackLayout: Layout {
  /// A layout.
  public init() {}
}
/// A layout of any type: another one keeps the identities of the views.
public struct AnyLayout: Layout {
  let layout: any Layout
  /// A layout.
  public init<L: Layout>(_ layout: L) { self.layout = layout }
  /// Lays out views.
  @MainActor public func callAsFunction<Content: View>(@ViewBuilder _ content: () -> Content) -> some View {
    LaidOut(layout: layout, content: content())
  }
}
struct LaidOut<Content: View>: View {
  let layout: any Layout
  let content: Content
}
@MainActor protocol Arranged { var arrangement: String { get } }
extension LaidOut: Arranged {
  var arrangement: String { layout is VStackLayout ? "vertical" : "horizontal" }
}
extension LaidOut: Primitive {
  func update(_ node: Node) { node.reconcile([("content", content)]) }
}

/// No layout.
public typealias Group = Stack
/// Scrolls.
public typealias ScrollView = Stack
/// Rows.
public struct List<Content: View>: View {
  private let content: Content
  /// Rows.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
}
extension List {
  /// A row for each element.
  public init<Data: RandomAccessCollection, Row: View>(
    _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
  ) where Content == ForEach<Data, Data.Element.ID, Row>, Data.Element: Identifiable {
    self.init { ForEach(data, content: rowContent) }
  }
}
extension List: Primitive {
  func update(_ node: Node) { node.reconcile([("content", content)]) }
}

/// A view for each element, by identity.
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
  private let data: Data
  private let id: KeyPath<Data.Element, ID>
  private let content: (Data.Element) -> Content
  /// A view for each element.
  public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {
    self.data = data
    self.id = id
    self.content = content
  }
}
extension ForEach where Data.Element: Identifiable, ID == Data.Element.ID {
  /// A view for each element.
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
    self.init(data, id: \.id, content: content)
  }
}
extension ForEach: Primitive {
  func update(_ node: Node) {
    node.reconcile(data.map { (AnyHashable($0[keyPath: id]), content($0)) })
  }
}

/// What is displayed in the place of content.
public struct ContentUnavailableView<Title: View, Description: View, Actions: View>: View {
  private let parts: [any View]
  /// A title, a description and actions.
  public init(
    @ViewBuilder label: () -> Title, @ViewBuilder description: () -> Description = { EmptyView() },
    @ViewBuilder actions: () -> Actions = { EmptyView() }
  ) {
    parts = [label(), description(), actions()]
  }
}
extension ContentUnavailableView: Primitive {
  func update(_ node: Node) { node.reconcile(parts.enumerated().map { (AnyHashable($0.offset), $0.element) }) }
}

/// The parts of ``ContentUnavailableView/search(text:)``.
public struct SearchUnavailableContent {
  /// The title.
  public typealias Label = Text
  /// No description here.
  public typealias Description = EmptyView
  /// No actions.
  public typealias Actions = EmptyView
}
extension ContentUnavailableView
where
  Title == SearchUnavailableContent.Label, Description == SearchUnavailableContent.Description,
  Actions == SearchUnavailableContent.Actions
{
  /// A search that has found nothing.
  public static func search(text: String) -> Self {
    Self {
      Text("No results for \(text)")
    }
  }
}

/// Views of which one is displayed at a time. Here all are.
public typealias TabView = Stack

/// How a tab view looks.
public struct VerticalPageTabViewStyle: Sendable {
  /// Pages above each other, on a watch.
  public static let verticalPage = VerticalPageTabViewStyle()
}

/// Where an ornament is attached.
public struct OrnamentAttachmentAnchor: Sendable {
  /// At an edge of the scene.
  public static func scene(_ edge: VerticalEdge) -> OrnamentAttachmentAnchor { OrnamentAttachmentAnchor() }
}

extension View {
  /// How a tab view looks. Not drawn.
  public nonisolated func tabViewStyle(_ style: VerticalPageTabViewStyle) -> some View { modified { _ in } }
  /// Puts a view beside the window, in visionOS.
  public nonisolated func ornament<Content: View>(
    attachmentAnchor: OrnamentAttachmentAnchor, @ViewBuilder ornament: @escaping () -> Content
  ) -> some View {
    safeAreaInset(edge: .bottom, content: ornament)
  }
  /// The name of a preview. Not drawn.
  public nonisolated func previewDisplayName(_ name: String?) -> some View { modified { _ in } }
}

/// Views to look at while they are written.
@MainActor
public protocol PreviewProvider {
  /// What is displayed.
  associatedtype Previews: View
  /// The views.
  @ViewBuilder static var previews: Previews { get }
}
