// SPDX-License-Identifier: MIT
import Testing

/// Objects that must be gone when the scope that made and used them is left.
struct Watched {
  private struct Entry {
    let type: String
    weak var object: AnyObject?
  }

  private var entries: [Entry] = []

  /// Watches an object from here on, without keeping it.
  mutating func callAsFunction<Object: AnyObject>(_ object: Object) -> Object {
    entries.append(Entry(type: "\(Object.self)", object: object))
    return object
  }

  /// The types of which something is left.
  var left: [String] { entries.filter { $0.object != nil }.map(\.type) }
  var count: Int { entries.count }
}

/// Makes and uses objects, and expects that none of those that are watched outlives that.
///
/// - Parameter count: How many are watched: a scope that watches nothing proves nothing.
@ModelActor
func expectAllGone(
  _ count: Int, sourceLocation: SourceLocation = #_sourceLocation,
  after scope: @ModelActor (inout Watched) async -> Void
) async {
  var watched = Watched()
  await ModelActor.stay {
    await scope(&watched)
    await ModelActor.idle()
  }
  #expect(watched.count == count, sourceLocation: sourceLocation)
  #expect(watched.left == [], sourceLocation: sourceLocation)
}
