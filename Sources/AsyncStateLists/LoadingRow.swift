// SPDX-License-Identifier: MIT
public import AsyncState

/// A row that loads its value when it is displayed for the first time, and resets for reuse.
///
/// ```swift
/// let host = CellHost(cancelsLoadWhenHidden: true) {
///   LoadingRow { (bird: String) in try await portraits.portrait(of: bird) }
/// }
/// ```
///
/// A cell displays ``model`` and observes ``data``. A load that has failed or was cancelled is started again when the
/// row is displayed again. An answer is kept until the row is reused for another model, or the data is stale. An answer
/// for another model is never displayed.
///
/// Choose a model that has only what the load needs: for the picture of a post, its address and not the post. Another
/// model, and the same one with other contents, requests the value again.
public final class LoadingRow<Model, Value>: ReusableController {
  /// The data that the row loads: its value, error and activity.
  public let resource: AsyncResource<Value>

  private let current: CurrentModel<Model>
  private let isSame = sameness(of: Model.self)
  private var isDisplayed = false
  /// The model that the data was loaded for, while the row has none. The data is kept if the same row is configured
  /// next.
  private var ended: Model?

  // Weak, because a row may be a property of its actor.
  private weak var home: (any Actor)?

  /// A row of the main actor.
  ///
  /// It can be the initial value of a property.
  ///
  /// - Parameters:
  ///   - options: The options of requests, and the time for which an answer is fresh. A stale one is requested again
  ///     when the row is displayed.
  ///   - operation: Loads the value for a model; nil: there is none. It runs on the main actor.
  public init(
    options: LoadOptions = LoadOptions(),
    operation: @escaping @MainActor (Model) async throws -> Value?
  ) {
    let current = CurrentModel<Model>()
    self.current = current
    home = MainActor.shared
    let load = operationOnMainActor(operation)
    resource = AsyncResource(filling: AsyncData(options: options), home: MainActor.shared) {
      guard let model = current.model else { return { _ in nil } }
      return { _ in try await load(model) }
    }
  }

  /// A row of any actor.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the row belongs to. It is not kept alive.
  ///   - options: The options of requests, and the time for which an answer is fresh. A stale one is requested again
  ///     when the row is displayed.
  ///   - operation: Loads the value for a model; nil: there is none. It runs on the row's actor.
  public init(
    isolation: isolated any Actor, options: LoadOptions = LoadOptions(),
    operation: @escaping (Model) async throws -> Value?
  ) {
    let current = CurrentModel<Model>()
    self.current = current
    home = isolation
    resource = AsyncResource(isolation: isolation, options: options) {
      .value {
        guard let model = current.model else { return nil }
        return try await operation(model)
      }
    }
  }

  /// The model that the row displays; nil before the first model and between two rows.
  public var model: Model? { current.model }

  /// The value, the error and the activity of the load for the model.
  public var data: AsyncData<Value> { resource.data }

  /// Shows `model`. Its load starts when the row is displayed. If it is the same row with other contents, the displayed
  /// value stays until the next answer.
  public func configure(with model: Model) {
    if let ended = ended.take(), !isSame(ended, model) { data.leaveModel() }
    let isOther = current.model.map { !isSame($0, model) } ?? false
    current.model = model
    guard isOther else { return }
    // Whatever becomes of the request: what is displayed is the value of the previous contents.
    resource.invalidate()
    guard isDisplayed || resource.isRunning, let home else { return }
    ActorBound(self, to: home).callHere { home, row in row.resource.refresh(isolation: home) }
  }

  /// Notes that the row is not visible any more. A running load continues.
  public func didDisappear(animated: Bool) {
    isDisplayed = false
  }

  /// Starts the load, unless one is running or there is an answer that is not stale.
  public func willAppear(animated: Bool) {
    isDisplayed = true
    guard current.model != nil, !resource.isRunning, resource.isStale, let home else { return }
    ActorBound(self, to: home).callHere { home, row in row.resource.start(when: .stale, isolation: home) }
  }

  /// Cancels a load that is running.
  public func cancelLoad() {
    resource.cancel()
  }

  /// Ends the model, and cancels its load. The value is kept in case the same row is configured next.
  public func prepareForReuse() {
    guard let former = current.model.take() else { return }
    resource.cancel()
    ended = former
  }
}

/// The model that a load reads when it starts.
private final class CurrentModel<Model> {
  var model: Model?
}

extension LoadingRow: CustomStringConvertible {
  /// The type, the model and the data, as in `LoadingRow<String, Image>: swan: nothing known, loading`.
  ///
  /// Call it on the actor of the row.
  public var description: String { "\(Self.self): \(model.map { brief($0) } ?? "empty"): \(resource.data.content)" }
}
