// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  struct CaptureListTests {
    private final class Model { var count = 0 }

    private actor Session {
      private let executor = QueueExecutor()
      nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
      private let data = AsyncData<Int>(seed: 0)
      private let list = AsyncData<Paged<Int, Int>>()
      private let model = Model()
      private let seen = Seen()
      private let number = 1
      private let released: AsyncStream<Void>.Continuation?
      private var resource: AsyncResource<Int>?

      init(released: AsyncStream<Void>.Continuation? = nil) { self.released = released }

      deinit { released?.finish() }

      private func touch() -> Int {
        model.count += 1
        return model.count
      }

      private func note() -> Int { seen.add(executor, model) }

      /// The calls whose operation runs elsewhere.
      func calls() async -> [String] {
        var elsewhere: [String] = []
        func ended(_ call: String) {
          if seen.isHere.isEmpty || seen.isHere.contains(false) { elsewhere.append(call) }
          seen.isHere = []
        }
        await data.start { [executor, seen, model] in seen.add(executor, model) }.outcome()
        ended("start")
        await data.start { [executor, seen, model] (reporter: LoadReporter<Int>) in
          reporter.report(progress: 0.5)
          return seen.add(executor, model)
        }.outcome()
        ended("start, with a reporter")
        await data.load { [executor, seen, number] in seen.add(executor) + number }
        ended("load")
        await data.load { [weak self, executor, seen] (reporter: LoadReporter<Int>) in
          reporter.report(progress: 0.5)
          return seen.add(executor) + (await self?.touch() ?? 0)
        }
        ended("load, with a reporter")
        await data.mutate { [model] in
          $0 += model.count
        } commit: { [executor, seen, model] in
          seen.add(executor, model)
        }
        ended("mutate")
        await list.loadFirst { [executor, seen, model] _ in
          .init(items: [seen.add(executor, model)], next: 1, previous: 1)
        }
        ended("loadFirst")
        await list.loadNext { [executor, seen, model] _ in .init(items: [seen.add(executor, model)]) }
        ended("loadNext")
        await list.loadPrevious { [executor, seen, model] _ in .init(items: [seen.add(executor, model)]) }
        ended("loadPrevious")
        let resource = AsyncResource(isolation: self, seed: 0) { 1 }
        await resource.mutate { [model] in
          $0 += model.count
        } commit: { [executor, seen, model] in
          seen.add(executor, model)
        }
        ended("mutate of a resource")
        return elsewhere
      }

      /// An operation that the resource keeps.
      func keptOperation(namingSelf: Bool) async -> Bool? {
        resource =
          namingSelf
          ? AsyncResource(isolation: self) { [unowned self] in note() }
          : AsyncResource(isolation: self) { [executor, seen, number] in seen.add(executor) + number }
        await resource?.load()
        return seen.isHere.first
      }

      func loadWithoutSelf() async {
        await data.load { [weak self] in await self?.touch() }
      }
    }

    /// Where operations have run.
    private final class Seen {
      var isHere: [Bool] = []

      func add(_ executor: QueueExecutor, _ model: Model = Model()) -> Int {
        isHere.append(executor.isHere)
        model.count += 1
        return model.count
      }
    }

    @Test("1.1 the operation of a call on data, and the commit of a change, run on the actor")
    func calls() async {
      #expect(await Session().calls() == [])
    }

    @Test("1.1 so does an operation that a resource keeps, if its capture list names self")
    func kept() async {
      #expect(await Session().keptOperation(namingSelf: true) == true)
    }

    /// A fault of the compiler: https://github.com/swiftlang/swift/issues/87097
    @Test("1.1 without self in its capture list it runs there with Swift 6.3.3, and elsewhere before")
    func keptWithoutSelf() async {
      let isHere = await Session().keptOperation(namingSelf: false)
      #if compiler(>=6.3.3)
        #expect(isHere == true)
      #else
        #expect(isHere == false)
      #endif
    }

    @Test("1.6 neither keeps the actor", arguments: [true, false])
    func lifetime(isKept: Bool) async {
      let (released, end) = AsyncStream<Void>.makeStream()
      var session: Session? = Session(released: end)
      if isKept { _ = await session?.keptOperation(namingSelf: true) } else { await session?.loadWithoutSelf() }
      session = nil
      for await _ in released {}
    }
  }
}
