/// A node whose value is two others' side by side.
@usableFromInline
final class ZipNode<First, Second>: ValueNode<(First, Second)> {
  @usableFromInline let first: ValueNode<First>
  @usableFromInline let second: ValueNode<Second>

  /// The sources' versions that the value was made of.
  @exclusivity(unchecked) @usableFromInline var seenVersions = (-1, -1)

  @inlinable
  init(_ first: ValueNode<First>, _ second: ValueNode<Second>) {
    self.first = first
    self.second = second
    super.init()
  }

  @inlinable
  override func refresh() {
    guard isDirty else { return }
    isDirty = false
    first.refresh()
    second.refresh()
    let versions = (first.version, second.version)
    guard versions != seenVersions else { return }
    seenVersions = versions
    cached = (first.cached!, second.cached!)
    version += 1
  }

  @inlinable
  override func forEachSource(_ body: (GraphNode) -> Void) {
    body(first)
    body(second)
  }
}
