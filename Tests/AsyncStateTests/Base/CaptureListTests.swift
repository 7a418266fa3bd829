// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  struct CaptureListTests {
    private final class Model { var count = 0 }

    enum List: CaseIterable {
      case atTheSource, ofWeakSelf, atTheOperation
    }

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

      /// Whether the operations of calls on data, and the commit of a change, run on the actor.
      func calls() async -> [Bool] {
        await data.load { [executor, seen, number] in seen.add(executor) + number }
        await data.start { [executor, seen, model] (reporter: LoadReporter<Int>) in
          reporter.report(progress: 0.5)
          return seen.add(executor, model)
        }.outcome()
        await data.mutate { [model] in
          $0 += model.count
        } commit: { [executor, seen, model] in
          seen.add(executor, model)
        }
        await list.loadFirst { [executor, seen, model] _ in .init(items: [seen.add(executor, model)], next: 1) }
        await list.loadNext { [weak self, executor, seen] _ in
          .init(items: [seen.add(executor) + (await self?.touch() ?? 0)])
        }
        return seen.isHere
      }

      /// Whether the operation that a resource keeps runs on the actor.
      func keptOperation(_ list: List) async -> Bool? {
        resource =
          switch list {
          case .atTheSource:
            AsyncResource(isolation: self) { [executor, seen, number] in .value { seen.add(executor) + number } }
          case .ofWeakSelf: AsyncResource(isolation: self) { [weak self] in .value { await self?.note() } }
          case .atTheOperation:
            AsyncResource(isolation: self) { .value { [executor, seen, number] in seen.add(executor) + number } }
          }
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

    @Test(
      "1.1 the operation of a call on data, and the commit of a change, run on the actor; so does one that a resource keeps, if the list is that of the closure that makes its source"
    )
    func calls() async {
      await expectEqual(Session().calls(), Array(repeating: true, count: 5))
      for list in [List.atTheSource, .ofWeakSelf] { await expectEqual(Session().keptOperation(list), true) }
    }

    /// A fault of the compiler: https://github.com/swiftlang/swift/issues/87097
    @Test("1.1 with a list of its own that does not name self it runs there with Swift 6.3.3, and elsewhere before")
    func listAtTheOperation() async {
      let isHere = await Session().keptOperation(.atTheOperation)
      #if compiler(>=6.3.3)
        expectEqual(isHere, true)
      #else
        expectEqual(isHere, false)
      #endif
    }

    @Test("1.6 none keeps the actor", arguments: [nil] + List.allCases)
    func lifetime(kept list: List?) async {
      let (released, end) = AsyncStream<Void>.makeStream()
      var session: Session? = Session(released: end)
      if let list { _ = await session?.keptOperation(list) } else { await session?.loadWithoutSelf() }
      session = nil
      for await _ in released {}
    }
  }
}
