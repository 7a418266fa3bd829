// SPDX-License-Identifier: MIT
public import AsyncState

/// The rows of a list, separate from the controller that shows them.
///
/// The items are an observed value. A view requests cells, and applies changes. Until it has applied a change inside
/// its own update, the data source serves the previous list, so that the view never requests a row of a list that it does
/// not show yet. Without an observer of changes, they are applied at once.
///
/// A data source serves one view. It belongs to the actor that created it, and calls its closures there.
public final class ListDataSource<Item, Cell> {
  private let latest: Observed<NumberedSections>
  private let dequeue: (ListPath) -> Cell
  private let configure: (Cell, Item) -> Void
  private let identity = RowIdentity<Item>()

  /// A list, with its rows numbered through all sections.
  private struct NumberedSections {
    let sections: [ListSection<Item>]
    let rows: RowNumbering

    init(_ sections: [ListSection<Item>]) {
      self.sections = sections
      rows = RowNumbering(sizes: sections.lazy.map(\.items.count))
    }

    /// The rows of all sections as those of one.
    var allRows: ListSection<Item> { ListSection(id: 0, items: sections.flatMap(\.items)) }
  }

  // The state is changed only on the owner's actor. While there is an observer of changes, `served` is the list that
  // the view shows, and `pending` the list that it has not applied yet; `generation` numbers the announced changes.
  // Without an observer all of this is unused, and `latest` is served.
  private var served: NumberedSections?
  private var pending: NumberedSections?
  /// The previous sections, while a view displays a change that is applied.
  private var replaced: [ListSection<Item>]?
  private var generation = 0
  private var observation: ObservedToken?
  private let announced = Input<ListChange?>(nil, isEqual: { _, _ in false })
  private weak var audience: Audience?
  /// The number of calls of the view that have not returned yet.
  private var openCalls = 0

  /// Creates a data source for sections that change.
  ///
  /// - Parameters:
  ///   - sections: The sections with their rows, in order.
  ///   - dequeue: Returns a cell for the row at a place.
  ///   - configure: Makes a cell show an item.
  public init(
    sections: Observed<[ListSection<Item>]>, dequeue: @escaping (_ path: ListPath) -> Cell,
    configure: @escaping (Cell, Item) -> Void
  ) {
    latest = sections.map { NumberedSections($0) }
    self.dequeue = dequeue
    self.configure = configure
  }

  /// Creates a data source for items that change.
  ///
  /// - Parameters:
  ///   - items: The rows, in order.
  ///   - dequeue: Returns a cell for the row at an index.
  ///   - configure: Makes a cell show an item.
  public convenience init(
    items: Observed<[Item]>, dequeue: @escaping (_ index: Int) -> Cell, configure: @escaping (Cell, Item) -> Void
  ) {
    self.init(
      sections: items.map { [ListSection(id: 0, items: $0)] }, dequeue: { dequeue($0.row) }, configure: configure)
  }

}

// MARK: - Rows

extension ListDataSource {
  /// The served sections. A list of items is one section.
  public var sections: [ListSection<Item>] { current.sections }

  /// The number of rows in all sections.
  ///
  /// - Complexity: O(1), like every call here without another complexity. The first call after a change numbers the
  ///   rows, in O(*n*) for *n* sections.
  public var count: Int { current.rows.count }

  /// The item of the row at `index`, counted through all sections. An index outside the served list stops the process
  /// with a message.
  ///
  /// - Complexity: O(log *n*) for *n* sections.
  public func item(at index: Int) -> Item {
    let current = current
    return item(at: path(of: index, in: current), in: current.sections)
  }

  /// The item of the row at `path`. A place outside the served list stops the process with a message.
  public func item(at path: ListPath) -> Item {
    item(at: path, in: sections)
  }

  /// Dequeues a cell for the row at `index`, counted through all sections, and configures it once with its item. An
  /// index outside the served list stops the process with a message.
  ///
  /// - Complexity: O(log *n*) for *n* sections, without the time of the closures.
  public func cell(at index: Int) -> Cell {
    let current = current
    return cell(at: path(of: index, in: current), in: current.sections)
  }

  /// Dequeues a cell for the row at `path`, and configures it once with its item. A place outside the served list stops
  /// the process with a message.
  public func cell(at path: ListPath) -> Cell {
    cell(at: path, in: sections)
  }

  /// Configures a displayed cell again, because the item of the row at `index`, counted through all sections, has changed.
  package func configure(_ cell: Cell, at index: Int) {
    let item = item(at: index)
    inCall { configure(cell, item) }
  }

  /// Dequeues and configures a cell for the item with an identity, for a view that knows its rows by identity, such as
  /// one with a diffable data source.
  ///
  /// - Parameters:
  ///   - id: The identity of the item.
  ///   - path: The place at which the view displays the item. It may differ from the place in the list, for example if
  ///     two items have the same identity.
  /// - Returns: A cell, dequeued for the path and configured with the item; nil if there is no such item.
  /// - Complexity: O(1) if the item is at the path, otherwise O(*n*) for *n* rows.
  public func cell(of id: Item.ID, at path: ListPath) -> Cell? where Item: Identifiable {
    let lists = [sections] + [replaced].compactMap { $0 }
    return lists.lazy.compactMap { Self.item(of: id, at: path, in: $0) }.first.map { makeCell(for: $0, at: path) }
  }

  private static func item(of id: Item.ID, at path: ListPath, in sections: [ListSection<Item>]) -> Item?
  where Item: Identifiable {
    let isThere = sections.indices.contains(path.section) && sections[path.section].items.indices.contains(path.row)
    let here = isThere ? sections[path.section].items[path.row] : nil
    return here?.id == id ? here : sections.lazy.flatMap(\.items).first { $0.id == id }
  }

  private func cell(at path: ListPath, in sections: [ListSection<Item>]) -> Cell {
    makeCell(for: item(at: path, in: sections), at: path)
  }

  private func makeCell(for item: Item, at path: ListPath) -> Cell {
    inCall {
      let cell = dequeue(path)
      configure(cell, item)
      return cell
    }
  }

  private func item(at path: ListPath, in sections: [ListSection<Item>]) -> Item {
    guard sections.indices.contains(path.section) else {
      stopOutside("section \(path.section)", count: sections.count)
    }
    let items = sections[path.section].items
    guard items.indices.contains(path.row) else {
      stopOutside("the row at index \(path.row) of section \(path.section)", count: items.count)
    }
    return items[path.row]
  }

  private func path(of index: Int, in list: NumberedSections) -> ListPath {
    guard index >= 0, index < list.rows.count else { stopOutside("the row at index \(index)", count: list.rows.count) }
    return list.rows.path(of: index)
  }

  private var current: NumberedSections {
    if let served, audience != nil { served } else { latest.current }
  }
}

// This is no precondition, because a release build would stop without the message.
private func stopOutside(_ place: String, count: Int) -> Never {
  fatalError(
    """
    AsyncState: ListDataSource was called for \(place), but the count is \(count). The view shows a list that is not \
    the served one. Apply each change inside the view's update, with the removals, insertions and moves of ListChange, \
    or reload the view after apply().
    """)
}

// MARK: - Changes

extension ListDataSource {
  /// Calls `body` with each change of the list, so that the view can apply it inside its own update.
  ///
  /// Rows are matched by `id` if the item is `Identifiable`, and by `==` if it is only `Hashable`. Of other items all
  /// rows are removed and inserted. `body` is called on the actor of the list, for each later list that differs from
  /// the served one. Until a change is applied, the previous list is served. If the items change again before that, the
  /// change is outdated, and the next one is the difference between the served list and the newest.
  ///
  /// - Returns: The observation, which ends when the token is cancelled or released.
  /// - Complexity: Each change takes O(*n* log *n*) for *n* rows, less if both lists begin or end with the same rows.
  public func observeChanges(_ body: @escaping (ListChange) -> Void) -> ObservedToken {
    let audience = audience ?? beginServing()
    var isReady = false
    let token = announced.observe { change in
      // The first call reports an earlier change.
      if isReady, let change { withExtendedLifetime(audience) { body(change) } }
    }
    isReady = true
    return token
  }

  /// Applies a change before a view displays it that knows its rows by identity. Such a view may bring the previous list up to date
  /// first, so rows of that have cells, too, until `display` returns.
  ///
  /// - Parameter display: Called with the previous sections, unless the change is outdated.
  package func apply(_ change: ListChange, display: (_ former: [ListSection<Item>]) -> Void) {
    let former = sections
    guard change.apply() else { return }
    replaced = former
    display(former)
    replaced = nil
  }

  /// Answers a call of the view, such as the one before a row is displayed.
  ///
  /// A view must not be updated inside its own call. A change of the list inside `body` is announced with
  /// ``ListChange/isInCall``, so that the view is updated when the call has returned. `cell(at:)` and the adapters of
  /// AsyncStateUI call this themselves. Other delegates call it where they request pages or change rows.
  public func inCall<Result>(_ body: () throws -> Result) rethrows -> Result {
    openCalls += 1
    defer { openCalls -= 1 }
    return try body()
  }

  /// Each observer of changes holds this object, so there are observers as long as it exists.
  private final class Audience {}

  private func beginServing() -> Audience {
    served = nil
    pending = nil
    generation += 1
    let token = observation ?? latest.observe { [weak self] list in self?.announce(list) }
    observation = token
    served = latest.current
    // The computation of the list may have added an observer, too.
    let audience = audience ?? Audience()
    self.audience = audience
    return audience
  }

  private func announce(_ new: NumberedSections) {
    guard let former = served else { return }
    guard audience != nil else {
      (served, pending, observation) = (nil, nil, nil)
      return
    }
    // Before the state changes, because comparing identities and items runs the user's code.
    let difference = ListDifference.between(former.sections, new.sections, by: identity)
    generation += 1
    let generation = generation
    guard !difference.isEmpty else {
      (served, pending) = (new, nil)
      return
    }
    pending = new
    announced.write(
      change(difference, from: former, to: new, generation, isInCall: openCalls > 0) {
        [weak self, identity, openCalls] in
        let sections = SectionOrder(of: former.sections.map(\.id), in: new.sections.map(\.id))
        guard let self, !sections.moves.isEmpty else { return nil }
        let reordered = NumberedSections(sections.order.map { former.sections[$0] })
        return ListChange.SectionMoves(
          moves: sections.moves, applyToSource: { [weak self] in self?.serve(reordered, before: generation) ?? false },
          rest: change(
            .between(reordered.sections, new.sections, by: identity), from: reordered, to: new, generation,
            isInCall: openCalls > 0))
      })
  }

  /// A change, which does not keep its data source.
  private func change(
    _ difference: ListDifference, from former: NumberedSections, to new: NumberedSections, _ generation: Int,
    isInCall: Bool, movingSections: @escaping () -> ListChange.SectionMoves? = { nil }
  ) -> ListChange {
    ListChange(
      difference, isInCall: isInCall, isOutdated: { [weak self] in self?.isCurrent(generation) != true },
      apply: { [weak self] in self?.apply(generation) ?? false },
      throughSections: { [identity] in
        let isOneSection = former.sections.count == 1 && new.sections.count == 1
        guard !isOneSection || !difference.removedSections.isEmpty else { return difference }
        return .between([former.allRows], [new.allRows], by: identity)
      }, movingSections: movingSections)
  }

  /// True if a change may still be applied: there is none after it, and someone observes the changes.
  private func isCurrent(_ generation: Int) -> Bool { generation == self.generation && audience != nil }

  /// - Parameter generation: The change that is applied afterwards.
  private func serve(_ reordered: NumberedSections, before generation: Int) -> Bool {
    guard isCurrent(generation), pending != nil else { return false }
    let former = served
    served = reordered
    withExtendedLifetime(former) {}
    return true
  }

  private func apply(_ generation: Int) -> Bool {
    guard isCurrent(generation) else { return false }
    guard let new = pending else { return true }
    let former = served
    (served, pending) = (new, nil)
    withExtendedLifetime(former) {}
    return true
  }
}

extension ListDataSource: CustomStringConvertible {
  /// The type and the number of served rows, or `not computed` if the list was never read.
  ///
  /// Call it on the actor of the list.
  public var description: String {
    let list = audience == nil ? latest.lastComputed : served ?? latest.lastComputed
    return "\(Self.self): \(list.map { Self.rows(in: $0) } ?? "not computed")"
  }

  private static func rows(in list: NumberedSections) -> String {
    let rows = list.rows.count == 1 ? "1 row" : "\(list.rows.count) rows"
    return list.sections.count == 1 ? rows : "\(rows) in \(list.sections.count) sections"
  }
}
