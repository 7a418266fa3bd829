// SPDX-License-Identifier: MIT
// A client of every public symbol of a resource: requesting, changing, watching, and reading. The ways of creating one are in
// SourcesInEveryPosition.swift.
// also with: -default-isolation MainActor
// also with: -enable-upcoming-feature NonisolatedNonsendingByDefault
// also with: -strict-memory-safety

import AsyncState

nonisolated struct Weather: Equatable, Sendable {
  var degrees = 20
}

nonisolated struct Station: Sendable {
  func weather(in city: String = "Bern") async throws -> Weather { Weather(degrees: city.count) }
  func measurements(in city: String = "Bern") async throws -> AsyncStream<Weather> { AsyncStream { $0.finish() } }
}

@MainActor
final class WeatherModel {
  private let city: Observed<String?>
  private let station = Station()

  let here: AsyncResource<Weather>
  let measured: AsyncResource<Weather>
  let searched: AsyncResource<Weather>
  let difference: AsyncResource<Int>

  init(city: Observed<String?>, previous: PreviousValue = .hidden) {
    self.city = city
    let here = AsyncResource { [station] in try await station.weather() }
    self.here = here
    let measured = AsyncResource(.live { [station] in try await station.measurements() })
    self.measured = measured
    searched = AsyncResource(following: city, previous: previous == .hidden ? .untilAnswered : previous) {
      [station] city in try await station.weather(in: city)
    }
    difference = AsyncResource(
      .of(here, measured) { here, measured in here.degrees - measured.degrees })
  }

  func appear() async -> String {
    let first = here.start(when: .stale)
    await first.outcome()
    here.reload()
    here.refresh()
    await here.refresh().outcome()
    await here.load(when: .stale)
    let there = AsyncResource(.of(here, then: { [searched] _ in searched }) { "\($0), \($1)" })
    return "\(await there.load())"
  }

  func comparison() async throws -> Int {
    do {
      _ = try await searched.get()
    } catch is NoKeyError {
      print(NoKeyError().description)
    }
    let own = try await here.get(when: .stale)
    return try await own.degrees - searched.get().degrees
  }

  func stayUpToDate(while isVisible: Observed<Bool>) async {
    await here.poll(every: .seconds(10), while: isVisible)
    await here.poll(every: { (snapshot: AsyncSnapshot<Weather>) in snapshot.error == nil ? .seconds(10) : nil })
  }

  func correct(by degrees: Int) async {
    await here.mutate {
      $0.degrees += degrees
    } commit: { [station] in
      try await station.weather()
    }
  }

  func leave(refusing refused: Weather) {
    here.invalidate()
    here.receive(here.value)
    here.update { _ in }
    here.invalidate(ifValue: refused)
    here.cancel()
    here.reset()
    here.data.value = nil
  }

  func display(on label: Label) -> ObservedToken {
    label.text = """
      \(here.snapshot) \(here.value as Any) \(here.error as Any) \(here.status) \(here.isRunning) \(here.isStale)
      \(here.isWaiting) \(here.description) \(here.observed.current)
      """
    return here.observe { label.text = "\($0)" }
  }
}

@MainActor
final class Label {
  var text = ""
}

@MainActor
func preview() -> AsyncResource<Weather> { .preview(.value(Weather())) }

/// The same on an actor of a server.
actor Session {
  private let station = Station()
  private lazy var here = AsyncResource(isolation: self) { [station] in .value { try await station.weather() } }
  private lazy var measured = AsyncResource(isolation: self) { [station] in .live { try await station.measurements() } }

  func weather() async throws -> [Weather] {
    let difference = AsyncResource(isolation: self) { [here, measured] in
      .of(here, measured) { here, measured in Weather(degrees: here.degrees - measured.degrees) }
    }
    let chosen = AsyncResource(isolation: self) { [here, measured] in .of(here, then: { _ in measured }) { $1 } }
    let same = AsyncResource(isolation: self) { [here] in .of(here) { $0 }.fresh { _ in .seconds(60) } }
    let three = AsyncResource(isolation: self) { [here, measured, same] in .of(zip(here, measured), same) { $1 } }
    return try await [difference.get(when: .always), chosen.get(), three.get()]
  }
}
