// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  struct IsolationTests {
    static let received = """
      I W(loading,f) K spin+ cwa spin spin.wa spin.da cda spin spin+! D(nil,f) | \
      W(ready,f) K spin- cwd spin spin.wd list+ cwa list list.wa list.da cda list list+! spin.dd cdd spin spin-! \
      D(loading,f) | \
      W(failed,t) K list- cwd list list.wd note+ cwa note note.wa note.da cda note note+! list.dd cdd list list-! \
      D(ready,t) | cwd note note.wd note.dd cdd note
      """

    @Test("1.1 a container works the same without any actor, on the main actor, and on an actor of its own")
    func anywhere() async {
      actor Own {
        func run() -> String { exerciseContainer() }
      }
      expectEqual(exerciseContainer(), Self.received)
      await expectEqual(MainActor.run { exerciseContainer() }, Self.received)
      await expectEqual(Own().run(), Self.received)
    }

    @Test("1.6 an actor that has hosts, a pacer and an animator among its properties is not kept by them")
    func actorIsNotKept() async {
      actor Screen {
        private var hosts: [AsyncHost<Int>] = []
        private var pacer: DisplayPacer?
        private let presenter = TracedPresenter(Recorder())
        private let life: Census.Life

        init(_ life: Census.Life) {
          self.life = life
        }

        func begin(_ gate: ManualServer<Int?>) {
          let pacer = DisplayPacer(clock: ManualClock())
          self.pacer = pacer
          let resources = (1...2).map { _ in AsyncResource(isolation: self) { .value { try await gate.wait() } } }
          hosts = [
            AsyncHost(resources[0], pacer: pacer, animator: ClockAnimator(isolation: self), children: { _ in [] }),
            AsyncHost(resources[1]),
          ]
          hosts[1].presenter = presenter
          for host in hosts { host.start() }
        }

        func shown() -> [String] { hosts.map { word($0.status) } }
      }
      let gate = ManualServer<Int?>()
      let census = Census()
      do {
        let screen = Screen(census.newLife())
        await screen.begin(gate)
        for call in 1...2 {
          await gate.arrived(call)
          gate.answer(call: call, with: .success(1))
          await gate.ended(call)
        }
        await expectEqual(screen.shown(), ["data:1", "data:1"])
      }
      await census.isEmpty()
    }

    @Test("1.1 an animator and a pacer call back on the actor that made them")
    func callbacksOnTheirActor() async {
      actor Screen {
        private let trace = Recorder()
        private var container: StateContainer<Scene>?

        func animate(on clock: ManualClock) async -> TransitionOutcome? {
          let container = StateContainer(
            initialState: Scene.loading, animator: ClockAnimator(isolation: self, clock: clock),
            children: { [trace] in [IsolatedChild($0.rawValue, trace) { self.assertIsolated() }] })
          self.container = container
          container.willAppear(animated: false)
          container.didAppear(animated: false)
          // The container keeps its children, and they keep the screen.
          defer { self.container = nil }
          return await container.transition(to: .ready, animated: true)
        }
      }
      let clock = ManualClock()
      async let outcome = Screen().animate(on: clock)
      await clock.sleepers(atLeast: 2)
      await clock.advance(by: .seconds(1))
      await expectEqual(outcome, .finished)
    }

    /// Operations that belong to no actor: they run where they are called.
    private enum Free {
      static func operation<Answer>(_ answer: Answer) -> () async throws -> Answer {
        {
          MainActor.preconditionIsolated()
          return answer
        }
      }

      static func operation<Argument, Answer>(of _: Argument.Type, _ answer: Answer) -> (Argument) async throws ->
        Answer
      {
        { _ in
          MainActor.preconditionIsolated()
          return answer
        }
      }
    }

    @Test("1.1 an operation that belongs to no actor runs on the data's, in every way of calling it")
    @MainActor
    func operationsOfNoActor() async {
      typealias List = Paged<Int, Int>
      let page = List.Page(items: [1], next: 2, previous: 0)
      let data = AsyncData<Int>()
      let pages = AsyncData<List>()
      var outcomes = [
        await data.load(operation: Free.operation(1)).word,
        await data.load(options: LoadOptions(retry: .exponential()), operation: Free.operation(2)).word,
        await data.start(operation: Free.operation(3)).outcome().word,
        await data.load(operation: Free.operation(of: LoadReporter<Int>.self, 4)).word,
        await data.start(
          options: LoadOptions(retry: .exponential()), operation: Free.operation(of: LoadReporter<Int>.self, 5)
        ).outcome().word,
        await data.mutate({ $0 += 1 }, commit: Free.operation(6)).word,
        await AsyncResource(isolation: MainActor.shared) { .value(Free.operation(7)) }.load().word,
        await AsyncResource(isolation: MainActor.shared, following: .constant("key")) { (_: String) in
          .value(Free.operation(of: LoadReporter<Int>.self, 8))
        }.load().word,
      ]
      await pages.loadFirst(fetch: Free.operation(of: Int?.self, page))
      await pages.loadNext(fetch: Free.operation(of: Int.self, page))
      await pages.loadPrevious(fetch: Free.operation(of: Int.self, page))
      outcomes.append("\(pages.value?.items ?? [])")
      expectEqual(outcomes, (1...8).map { "value \($0)" } + ["[1, 1, 1]"])
    }

    @Test("1.1 whatever an operation's answer causes happens on the owner's actor, wherever the operation ended")
    @MainActor
    func answersFromElsewhere() async {
      @concurrent func away<T: Sendable>(_ value: T) async throws -> T { value }
      var changes = 0
      func observe<T>(_ data: AsyncData<T>) -> ObservedToken {
        data.observed.observe { _ in
          MainActor.preconditionIsolated()
          changes += 1
        }
      }

      let data = AsyncData<Int>()
      let pages = AsyncData<Paged<Int, Int>>()
      let resource = AsyncResource { try await away(1) }
      let tokens = [observe(data), observe(pages), observe(resource.data)]
      await data.load { try await away(1) }
      await data.load { reporter in
        let value = try await away(2)
        reporter.report(progress: 0.5)
        return value
      }
      await data.load(options: LoadOptions(retry: .exponential(), timeout: .seconds(60))) { try await away(3) }
      await data.mutate({ $0 += 1 }, commit: { _ = try await away(4) })
      await pages.loadFirst { _ in try await away(.init(items: [1], next: 2, previous: 0)) }
      await pages.loadNext { try await away(.init(items: [$0], next: nil)) }
      await pages.loadPrevious { try await away(.init(items: [$0], previous: nil)) }
      await resource.load()
      expectEqual(pages.value?.items, [0, 1, 2])
      expectEqual(data.value, 4)
      expect(changes > 9)
      withExtendedLifetime(tokens) {}
    }
  }
}

/// A child that checks in each callback where it is.
private final class IsolatedChild: TracedChild {
  private let check: () -> Void

  init(_ name: String, _ trace: Recorder, check: @escaping () -> Void) {
    self.check = check
    super.init(name, trace)
  }

  override func didAppear(animated: Bool) { check() }
  override func didDisappear(animated: Bool) { check() }
}
