// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

/// The samples of indicators, in the article *Refresh, retry and indicators*.
enum LoadingIndicatorSamples {
  final class Spinner {
    var isAnimating = false { didSet { settings.append(isAnimating) } }
    var settings: [Bool] = []
  }

  final class Bar {
    var fraction = 0.0
  }

  static func wire(to data: AsyncData<Int>) -> Box<Spinner> {
    let spinner = Box(Spinner())
    spinner.bind(\.isAnimating, to: data.observed.isLoading)
    return spinner
  }

  static func wire(to news: AsyncData<String>, _ weather: AsyncData<Int>) -> Box<Spinner> {
    let spinner = Box(Spinner())
    let isBusy = news.observed.isRunning.zip(weather.observed.isRunning).map { $0 || $1 }
    spinner.bind(\.isAnimating, to: isBusy)
    return spinner
  }

  static func wire(_ bar: Box<Bar>, to data: AsyncData<Int>) {
    bar.bind(\.fraction, to: data.observed.map { $0.activity?.progress ?? 0 })
  }

  @MainActor
  static func pace(
    _ number: AsyncResource<Int>,
    children: @escaping (AsyncStatusKind) -> [any ChildController]
  ) -> AsyncHost<Int> {
    let pacer = DisplayPacer(delay: .milliseconds(200), minimum: .milliseconds(500))
    let host = AsyncHost(number, pacer: pacer) { status in children(status.kind) }
    return host
  }
}

extension AllTests {
  @MainActor
  struct LoadingIndicatorSampleTests {
    @Test("a bound spinner is set when loading begins and ends, and not in between")
    func spinner() async {
      let data = AsyncData<Int>()
      let spinner = LoadingIndicatorSamples.wire(to: data)
      #expect(spinner.unbox.settings == [true])
      await data.load { 1 }
      #expect(spinner.unbox.settings == [true, false])
      await data.load { 2 }
      #expect(spinner.unbox.settings == [true, false, true, false])
    }

    @Test("the table of loading and running is right")
    func table() async {
      let clock = ManualClock()
      let server = ManualServer<Int>()
      let data = AsyncData<Int>(options: LoadOptions(retry: .exponential(first: .seconds(1)), clock: clock))
      #expect((data.isLoading, data.isRunning) == (true, false))
      let load = data.start { try await server.wait() }
      #expect((data.isLoading, data.isRunning) == (true, true))
      await server.arrived(1)
      server.answer(call: 1, with: .failure(LoadTimeoutError()))
      await clock.sleepers(atLeast: 1)
      #expect((data.isLoading, data.isRunning) == (true, true))
      load.cancel()
      #expect((data.isLoading, data.isRunning) == (false, false))
      data.value = 1
      #expect((data.isLoading, data.isRunning) == (false, false))
      data.start { 2 }
      #expect((data.isLoading, data.isRunning) == (true, true))
      data.error = LoadTimeoutError()
      #expect((data.isLoading, data.isRunning) == (false, false))
    }

    @Test("one spinner for two loads turns while either runs")
    func several() {
      let (news, weather) = (AsyncData<String>(), AsyncData<Int>())
      let spinner = LoadingIndicatorSamples.wire(to: news, weather)
      news.start { "rain" }
      weather.start { 7 }
      #expect(spinner.unbox.isAnimating)
      news.cancel()
      #expect(spinner.unbox.isAnimating)
      weather.cancel()
      #expect(spinner.unbox.settings == [false, true, false])
    }

    @Test("a bar follows the progress, and is empty when the load has ended")
    func progress() async {
      let data = AsyncData<Int>()
      let bar = Box(LoadingIndicatorSamples.Bar())
      LoadingIndicatorSamples.wire(bar, to: data)
      await data.load { reporter in
        reporter.report(progress: 0.5)
        #expect(bar.unbox.fraction == 0.5)
        return 1
      }
      #expect(bar.unbox.fraction == 0)
    }

    @Test("a paced host shows nothing at first, though the data is loading")
    func paced() {
      var shown: [AsyncStatusKind] = []
      let host = LoadingIndicatorSamples.pace(AsyncResource { 1 }) { kind in
        shown.append(kind)
        return []
      }
      host.start()
      #expect(shown.isEmpty)
      #expect(host.data.isRunning)
      host.data.cancel()
    }
  }
}
