// SPDX-License-Identifier: MIT
import AsyncState
import Observation

extension Specimen {
  /// Data with a value.
  public static let data = Specimen("`AsyncData<Int>`, with a value") { _ in
    { (loadedData(), nil) }
  }

  /// Data with a value that was requested.
  static let readData = Specimen("`AsyncData<Int>`, read where nothing is tracked") { _ in
    {
      let data = loadedData()
      _ = data.value
      return (data, nil)
    }
  }

  /// Data with a value, and a caller that waits for its next change.
  static let trackedData = Specimen("`AsyncData<Int>`, read under `withObservationTracking`") { _ in
    {
      let data = loadedData()
      withObservationTracking {
        _ = data.value
      } onChange: {
      }
      return (data, nil)
    }
  }

  /// What Observation takes for the same of a plain class.
  static let trackedProperty = Specimen("`@Observable` class with a property, likewise") { _ in
    {
      let model = TrackedProperty.Model()
      withObservationTracking {
        _ = model.value
      } onChange: {
      }
      return (model, nil)
    }
  }

  /// Data that is observed as a value.
  static let observedData = Specimen("`AsyncData<Int>`, with an observer of `observed`") { _ in
    {
      let data = loadedData()
      return (data, data.observed.observe { _ in })
    }
  }

  /// Data with a load that has just been started.
  static let loadingData = Specimen("`AsyncData<Int>`, with a load that has begun, and its task") { home in
    {
      let data = AsyncData<Int>()
      // Bound to where it runs, as the operation of a load is.
      return (data, data.start(isolation: home) { 1 })
    }
  }

  /// A container with a child for each of two states, after some transitions.
  public static let container = Specimen("`StateContainer`, two children that take turns") { _ in
    let stage = Stage.counting()
    let spinner = [stage.spinner]
    let list = [stage.list]
    return {
      let container = StateContainer(initialState: AsyncStatus<Int>.loading) { status in
        if case .data = status { list } else { spinner }
      }
      exercise(container, stage)
      return (container, nil)
    }
  }

  /// A container that shows two children at once, after some transitions.
  static let fullContainer = Specimen("`StateContainer`, two children at a time") { _ in
    let stage = Stage.counting()
    let both = [stage.list, stage.spinner]
    return {
      let container = StateContainer(initialState: AsyncStatus<Int>.loading) { _ in both }
      exercise(container, stage)
      return (container, nil)
    }
  }

  /// A host with its data and its container.
  static let host = Specimen("`AsyncHost<Int>`, with its data and container") { home in
    let stage = Stage.counting()
    let spinner = [stage.spinner]
    let list = [stage.list]
    return {
      let host = AsyncHost<Int>(request: { _, _ in }) { status in
        if case .data = status { list } else { spinner }
      }
      host.container.delegate = stage.delegate
      load(host, on: home)
      host.appear(animated: false)
      for turn in 0..<4 {
        host.data.value = turn
        host.data.reset()
      }
      host.data.value = 1
      return (host, nil)
    }
  }

  /// A presenter that decides which part of a screen shows.
  static let board = Specimen("`StatusBoard<Int>`") { _ in
    let data = AsyncData<Int>()
    let content = Content()
    return { (StatusBoard(content: content, data: data), nil) }
  }

  /// An input without observers.
  static let input = Specimen("`Input<Int>`") { _ in
    { (Input(0), nil) }
  }

  /// A derived value that is observed.
  static let map = Specimen("`Input<Int>`, a map of it, and an observer") { _ in
    // One input each: an input keeps a place for each who depends on it.
    {
      let input = Input(0)
      return (input, input.map { $0 &+ 1 }.observe { _ in })
    }
  }

  /// One more who observes a value.
  static let observer = Specimen("One observer more of the same value") { _ in
    let input = Input(0)
    return { (input.observe { _ in }, nil) }
  }

  /// An object with one binding.
  static let box = Specimen("`Box`, with one binding, its object included") { _ in
    let input = Input(0)
    return {
      let box = Box(TrackedProperty.Model())
      box.bind(to: input) { $0.value = $1 }
      return (box, nil)
    }
  }

  /// All that are weighed.
  public static let all: [Specimen] = [
    .data, .readData, .trackedData, .trackedProperty, .observedData, .loadingData, .container, .fullContainer, .host,
    .board, .input, .map, .observer, .box,
  ]

  private static func loadedData() -> AsyncData<Int> {
    let data = AsyncData<Int>()
    data.value = 1
    return data
  }

  private static func exercise(_ container: StateContainer<AsyncStatus<Int>>, _ stage: Stage) {
    container.delegate = stage.delegate
    container.willAppear(animated: false)
    container.didAppear(animated: false)
    for turn in 0..<4 {
      container.setNeedsTransition(to: .data(turn), animated: turn.isMultiple(of: 2))
      container.setNeedsTransition(to: .loading, animated: turn.isMultiple(of: 2))
    }
    container.setNeedsTransition(to: .data(1), animated: false)
  }

  private final class Content: AsyncContent {
    func apply(_ value: Int, animated: Bool) {}
  }
}

/// A specimen is made on its actor, by a closure that does not say so.
private func load(_ host: AsyncHost<Int>, on home: some Actor) {
  // Justified: the host was made on that actor, and `assumeIsolated` checks that this is the actor.
  nonisolated(unsafe) let host = host
  home.assumeIsolated { _ = host.start(isolation: $0) }
}
