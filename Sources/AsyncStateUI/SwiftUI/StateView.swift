#if canImport(SwiftUI)
  public import AsyncState
  public import SwiftUI

  /// Displays the state of a container, whose delegate is notified of each transition, and which appears and disappears
  /// with the view.
  ///
  /// ```swift
  /// StateView(checkout) { step in
  ///   switch step {
  ///   case .address: AddressView()
  ///   case .payment: PaymentView()
  ///   }
  /// }
  /// ```
  public struct StateView<Phase, Content: View>: View {
    private let container: StateContainer<Phase>
    private let content: (Phase) -> Content

    /// A view of the container's state.
    ///
    /// - Parameters:
    ///   - container: Keeps the state. It appears when the view does; do not forward life-cycle calls to it.
    ///   - content: The view of a state.
    public init(_ container: StateContainer<Phase>, @ViewBuilder content: @escaping (Phase) -> Content) {
      self.container = container
      self.content = content
    }

    /// The view of the current state.
    public var body: some View {
      ZStack { content(container.currentState) }
        .onAppear { container.appear(animated: false) }
        .onDisappear { container.disappear(animated: false) }
        // Another container appears, and the former one disappears.
        .id(ObjectIdentifier(container))
    }
  }

  /// All statuses of a screen, one below the other, for previews.
  ///
  /// ```swift
  /// AsyncGallery(data: Article.sample) { status, actions in
  ///   AsyncStatusView(status, actions: actions) { Text($0.title) }
  /// }
  /// ```
  public struct AsyncGallery<Value, Content: View>: View {
    private let statuses: [(name: String, status: AsyncStatus<Value>)]
    private let content: (AsyncStatus<Value>, AsyncActions) -> Content

    /// A gallery of the four statuses.
    ///
    /// - Parameters:
    ///   - sample: The value for the content.
    ///   - error: The error.
    ///   - content: The view of a status, as in ``AsyncView``.
    public init(
      data sample: Value, error: any Error = GalleryError(),
      @ViewBuilder content: @escaping (AsyncStatus<Value>, AsyncActions) -> Content
    ) {
      statuses = [
        ("Loading", .loading), ("Error", .error(error)), ("No data", .noData()), ("Data", .data(sample)),
      ]
      self.content = content
    }

    /// The statuses with their names.
    public var body: some View {
      ScrollView {
        ForEach(statuses, id: \.name) { entry in
          VStack {
            Text(entry.name)
            content(entry.status, AsyncActions())
          }
        }
      }
    }
  }

  /// The error in a gallery.
  public struct GalleryError: Error, CustomStringConvertible {
    /// An error.
    public init() {}
    /// A message as people see it.
    public var description: String { "The request has failed." }
  }
#endif
