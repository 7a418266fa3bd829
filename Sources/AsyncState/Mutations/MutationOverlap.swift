// SPDX-License-Identifier: MIT
/// Decides what a call of ``AsyncMutation/perform(_:isolation:)`` does while an input of its lane is being sent.
///
/// The default is ``join-8diyy`` where inputs can be compared, and ``queue`` elsewhere.
public struct MutationOverlap<Input> {
  /// The newest input takes the place of the one that is sent.
  let replaces: Bool
  /// Whether two inputs are the same, so that the second one is not sent; nil: no two are.
  let isEqual: ((Input, Input) -> Bool)?

  /// The same for equal inputs. Where these are `Hashable`, few others have the same, so that they are not compared.
  static func likeness(of input: Input, in lane: AnyHashable?) -> Int {
    var hasher = Hasher()
    hasher.combine(lane)
    if let input = input as? any Hashable { hasher.combine(input) }
    return hasher.finalize()
  }

  /// It waits for its turn. Inputs are sent one after another, in order.
  public static var queue: MutationOverlap { MutationOverlap(replaces: false, isEqual: nil) }

  /// It supersedes the one that runs, which the server may have done by then.
  public static var replace: MutationOverlap { MutationOverlap(replaces: true, isEqual: nil) }
}

extension MutationOverlap where Input: Equatable {
  /// An input that is equal to one that runs or waits joins that, and is not sent: a double tap. Another one waits for its
  /// turn.
  public static var join: MutationOverlap { MutationOverlap(replaces: false, isEqual: ==) }

  /// It supersedes the one that runs, which the server may have done by then. One that is equal to that joins it.
  public static var replace: MutationOverlap { MutationOverlap(replaces: true, isEqual: ==) }
}

extension MutationOverlap where Input == Void {
  /// It joins the one that runs, and is not sent: a double tap.
  public static var join: MutationOverlap { MutationOverlap(replaces: false) { _, _ in true } }
}
