// SPDX-License-Identifier: MIT
#if canImport(SwiftUI)
  public import AsyncState
  public import SwiftUI

  /// Displays several resources as one: requests what is stale when the view appears, and all of them when the user pulls.
  ///
  /// ```swift
  /// AsyncGroup(weather, warnings) { weather, warnings in
  ///   Text(weather)
  ///   ForEach(warnings) { Text($0.title) }
  /// }
  /// ```
  ///
  /// It is an ``AsyncView`` of what `zip` of AsyncState makes of them: loading while any of them is for the first time, the first
  /// error, and content when all have a value. The button beside an error, and beside no data, requests those that have failed or
  /// have no value, else all.
  public struct AsyncGroup<each Value, Content: View>: View {
    private let resources: (repeat AsyncResource<each Value>)
    private let policy: DisplayPolicy<(repeat each Value)>
    private let pacer: DisplayPacer?
    private let content: (repeat each Value) -> Content
    @State private var memory = GroupMemory<repeat each Value>()

    /// A view of several values.
    ///
    /// - Parameters:
    ///   - resources: What is displayed, and how it is requested.
    ///   - policy: Decides about the status where there is a choice.
    ///   - pacer: Keeps the indicator from flickering, by default as the app says; nil: each status is displayed at once. It
    ///     stays, and the policy with it, as long as the resources are displayed.
    ///   - content: The view of the values.
    public init(
      _ resources: repeat AsyncResource<each Value>,
      policy: DisplayPolicy<(repeat each Value)> = DisplayPolicy<(repeat each Value)>(), pacer: DisplayPacer? = .app,
      @ViewBuilder content: @escaping (repeat each Value) -> Content
    ) {
      self.resources = (repeat each resources)
      self.policy = policy
      self.pacer = pacer
      self.content = content
    }

    /// The view of the current status. Requests start when it appears.
    public var body: some View {
      AsyncView(memory.whole(of: repeat each resources), policy: policy, pacer: pacer) { values in
        content(repeat each values)
      }
    }
  }

  /// The resources of a group as one, as long as they are the same.
  @MainActor
  private final class GroupMemory<each Value> {
    private var displayed: (parts: [ObjectIdentifier], whole: AsyncResource<(repeat each Value)>)?

    nonisolated init() {}

    func whole(of resources: repeat AsyncResource<each Value>) -> AsyncResource<(repeat each Value)> {
      var parts: [ObjectIdentifier] = []
      for resource in repeat each resources { parts.append(ObjectIdentifier(resource)) }
      // They are held, so no other resource has the address of one.
      if let displayed, displayed.parts == parts { return displayed.whole }
      let whole = AsyncResource(combining: repeat each resources)
      displayed = (parts, whole)
      return whole
    }
  }
#endif
