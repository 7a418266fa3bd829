// SPDX-License-Identifier: MIT
@testable import AsyncState

/// A call of a container: a mark of the contract's notation, with the flag of each call that has one.
///
/// Not a `Recorder`'s: a model says the same in values, and its laws read them.
enum ContainerMark: Equatable {
  case initialState
  case will(Int, Bool)
  case did(Int?, Bool)
  case children(Int)
  case arranged([Int])
  case attach(AttachCall, Int)
  case appear(LifecycleCall, Int, Bool)
  /// The same call to the delegate.
  case delegateAppear(LifecycleCall, Int, Bool)
  case animation(AnimationCall, Int, isAppearing: Bool)

  enum AttachCall: CaseIterable { case willAttach, didAttach, willDetach, didDetach }
  enum AnimationCall: CaseIterable { case begin, time, wait, move, end }
}

extension ContainerMark: CustomStringConvertible {
  var description: String {
    switch self {
    case .initialState: "I"
    case .will(let state, let animated): "W(\(state),\(letter(animated)))"
    case .did(let state, let animated): "D(\(state.map { "\($0)" } ?? "nil"),\(letter(animated)))"
    case .children(let state): "K(\(state))"
    case .arranged(let children): "A(\(children.map(Self.name).joined(separator: ",")))"
    case .attach(.willAttach, let child): "\(Self.name(child))+"
    case .attach(.didAttach, let child): "\(Self.name(child))+!"
    case .attach(.willDetach, let child): "\(Self.name(child))-"
    case .attach(.didDetach, let child): "\(Self.name(child))-!"
    case .appear(let call, let child, let animated): "\(Self.name(child)).\(call.mark)(\(letter(animated)))"
    case .delegateAppear(let call, let child, let animated): "c\(call.mark)(\(letter(animated))) \(Self.name(child))"
    case .animation(let call, let child, let isAppearing):
      "\(Self.name(child)).\(call)(\(isAppearing ? "in" : "out"))"
    }
  }

  /// A letter for a child: a capital one for a child that has a say in its animation.
  static func name(_ child: Int) -> String {
    String(UnicodeScalar(UInt8((hasSay(child) ? 65 : 97) + child % 26)))
  }

  /// Every other child has a say in its animation.
  static func hasSay(_ child: Int) -> Bool { child % 2 == 1 }
}

extension LifecycleCall {
  var mark: String {
    switch self {
    case .willAppear: "wa"
    case .didAppear: "da"
    case .willDisappear: "wd"
    case .didDisappear: "dd"
    }
  }
}
