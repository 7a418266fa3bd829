// SPDX-License-Identifier: MIT
#if canImport(SwiftUI)
  public import AsyncState
  import Foundation
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
  ///
  /// A transition that is requested with `animated: true` is animated, as `asyncAnimation` says,
  /// otherwise as the system likes. One without it is not, unless the request is made in `withAnimation`.
  public struct StateView<Phase, Content: View>: View {
    private let container: StateContainer<Phase>
    private let content: (Phase) -> Content
    @Environment(\.asyncLooks) private var looks

    /// A view of the container's state.
    ///
    /// - Parameters:
    ///   - container: Keeps the state. It is visible while any view of it is; do not forward life-cycle calls to it.
    ///   - content: The view of a state.
    public init(_ container: StateContainer<Phase>, @ViewBuilder content: @escaping (Phase) -> Content) {
      self.container = container
      self.content = content
    }

    /// The view of the current state.
    public var body: some View {
      ZStack { content(container.currentState) }
        .animation(looks.animation ?? .default, value: container.animatedTransitions)
        .onAppear { Displays.begin(of: container) { container.appear(animated: false) } }
        .onDisappear { Displays.end(of: container) { container.disappear(animated: false) } }
        // Another container appears, and the previous one disappears.
        .id(ObjectIdentifier(container))
    }
  }

  /// How many views display an object: a container is visible as long as one does.
  @MainActor
  private enum Displays {
    static var counts: [ObjectIdentifier: Int] = [:]

    static func begin(of object: AnyObject, _ first: () -> Void) {
      counts[ObjectIdentifier(object), default: 0] += 1
      if counts[ObjectIdentifier(object)] == 1 { first() }
    }

    static func end(of object: AnyObject, _ last: () -> Void) {
      guard let count = counts[ObjectIdentifier(object)] else { return }
      counts[ObjectIdentifier(object)] = count > 1 ? count - 1 : nil
      if count == 1 { last() }
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

    /// A gallery of the six statuses.
    ///
    /// - Parameters:
    ///   - sample: The value for the content.
    ///   - error: The error; nil: one that says that the request has failed.
    ///   - content: The view of a status, as in ``AsyncView``.
    public init(
      data sample: Value, error: (any Error)? = nil,
      @ViewBuilder content: @escaping (AsyncStatus<Value>, AsyncActions) -> Content
    ) {
      statuses = [
        ("Loading", .loading), ("Error", .error(error ?? GalleryError())), ("No data", .noData),
        ("Idle", .idle), ("Waiting", .waiting), ("Data", .data(sample)),
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

  private struct GalleryError: LocalizedError {
    var errorDescription: String? { "The request has failed." }
  }
#endif
