/// What whoever shows a container tells it.
@usableFromInline
enum LifecycleCall: CaseIterable {
  case willAppear
  case didAppear
  case willDisappear
  case didDisappear

  /// Where the call leads to from `appearance`, or nil where it does not belong.
  func appearance(after appearance: Appearance) -> Appearance? {
    switch (self, appearance) {
    case (.willAppear, .gone), (.willAppear, .disappearing): .appearing
    case (.didAppear, .appearing): .visible
    case (.willDisappear, .visible), (.willDisappear, .appearing): .disappearing
    case (.didDisappear, .disappearing): .gone
    case (.willAppear, .appearing), (.willAppear, .visible), (.didAppear, .gone), (.didAppear, .visible),
      (.didAppear, .disappearing), (.willDisappear, .gone), (.willDisappear, .disappearing), (.didDisappear, .gone),
      (.didDisappear, .appearing), (.didDisappear, .visible):
      nil
    }
  }
}

/// A life-cycle call that repeats another or skips one.
@usableFromInline
struct LifecycleMisuse: Equatable, CustomStringConvertible {
  let call: LifecycleCall
  let appearance: Appearance

  @usableFromInline var description: String {
    let expected = LifecycleCall.allCases.filter { $0.appearance(after: appearance) != nil }
    return """
      AsyncState: \(call) was called on a StateContainer that is \(appearance); expected \
      \(expected.map { "\($0)" }.joined(separator: " or ")). The call is ignored, because going on would give \
      children a "did" without its "will". Make the four life-cycle calls in turn, as the view that shows the container \
      gets them.
      """
  }
}
