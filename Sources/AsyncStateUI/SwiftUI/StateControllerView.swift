// SPDX-License-Identifier: MIT
#if canImport(SwiftUI) && (canImport(UIKit) && !os(watchOS) || canImport(AppKit))
  public import SwiftUI
  #if canImport(UIKit)
    public import UIKit
  #else
    public import AppKit
  #endif

  /// Displays the view controllers of a state in SwiftUI, by a ``StateViewController``.
  ///
  /// ```swift
  /// StateControllerView(step) { step in
  ///   switch step {
  ///   case .address: [AddressViewController()]
  ///   case .payment: [PaymentViewController()]
  ///   }
  /// }
  /// ```
  ///
  /// Another state is a transition, which is animated if the change is made in `withAnimation`. An equal one changes
  /// nothing. The controllers of a state are made once for each transition, by the closure that was drawn last.
  public struct StateControllerView<Phase: Equatable> {
    #if canImport(UIKit)
      /// A view controller of UIKit.
      public typealias Controller = UIViewController
    #else
      /// A view controller of AppKit.
      public typealias Controller = NSViewController
    #endif

    private let phase: Phase
    private let children: (Phase) -> [Controller]

    /// A view of the controllers of a state.
    ///
    /// - Parameters:
    ///   - phase: The state.
    ///   - children: The view controllers of a state, from bottom to top.
    public init(_ phase: Phase, children: @escaping (Phase) -> [Controller]) {
      self.phase = phase
      self.children = children
    }

    /// The state that was drawn last.
    @MainActor
    public final class Coordinator {
      fileprivate var phase: Phase
      fileprivate var children: (Phase) -> [Controller]

      fileprivate init(_ phase: Phase, _ children: @escaping (Phase) -> [Controller]) {
        self.phase = phase
        self.children = children
      }
    }

    /// The memory of the view, beside its controller.
    @MainActor public func makeCoordinator() -> Coordinator { Coordinator(phase, children) }

    @MainActor
    private func make(_ coordinator: Coordinator) -> StateViewController<Phase> {
      StateViewController(initialState: phase) { [weak coordinator] in coordinator?.children($0) ?? [] }
    }

    @MainActor
    private func update(_ controller: StateViewController<Phase>, _ coordinator: Coordinator, _ change: Transaction) {
      coordinator.children = children
      // Not the state of the controller: another request may wait there.
      guard coordinator.phase != phase else { return }
      coordinator.phase = phase
      controller.setNeedsTransition(to: phase, animated: change.animation != nil && !change.disablesAnimations)
    }
  }

  #if canImport(UIKit)
    extension StateControllerView: UIViewControllerRepresentable {
      /// Makes the controller.
      public func makeUIViewController(context: Context) -> StateViewController<Phase> { make(context.coordinator) }

      /// Requests the transition to another state.
      public func updateUIViewController(_ controller: StateViewController<Phase>, context: Context) {
        update(controller, context.coordinator, context.transaction)
      }
    }
  #else
    extension StateControllerView: NSViewControllerRepresentable {
      /// Makes the controller.
      public func makeNSViewController(context: Context) -> StateViewController<Phase> { make(context.coordinator) }

      /// Requests the transition to another state.
      public func updateNSViewController(_ controller: StateViewController<Phase>, context: Context) {
        update(controller, context.coordinator, context.transaction)
      }
    }
  #endif
#endif
