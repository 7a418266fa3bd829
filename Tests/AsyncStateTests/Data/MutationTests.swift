// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct MutationTests {
    @Test("3.12 what a commit returns is ignored, whatever its type: unliking with a server that answers true unlikes")
    func ignored() async {
      let isLiked = AsyncData(snapshot: .value(true))
      await isLiked.mutate({ $0 = false }, commit: { true })
      expectEqual(isLiked.value, false)
      let count = AsyncData(snapshot: .value(1))
      await count.mutate({ $0 += 1 }, commit: { 200 as Int? })
      await count.mutate({ $0 += 1 }, commit: { Int?.none })
      await count.mutate({ $0 += 1 }) { 200 }
      await count.mutate({ $0 += 1 }) {
        let status = 200
        _ = status
      }
      expectEqual(count.value, 5)
    }

    @Test("3.12, 3.16 a commit that returns decides its change, cancelled or not, with options of its own or without")
    func cancelledAndConfirmed() async {
      for options in [LoadOptions(), LoadOptions(timeout: .seconds(30), clock: ManualClock())] {
        let data = AsyncData<[String]>(options: options)
        data.value = ["a"]
        let deaf = ManualServer<Int>(ignoresCancellation: true)
        let change = Waiting { await data.mutate({ $0.append("b") }) { _ = try await deaf.wait() }.word }
        await deaf.arrived(1)
        change.cancel()
        expectEqual(data.value, ["a", "b"])
        deaf.answer(call: 1, with: .success(0))
        await expectEqual(change.end(), "a b")
        expect(!data.isStale)
        expect(!data.hasPendingChanges)
      }
    }

    // MARK: Values that are objects

    final class Post {
      var likes: Int
      init(likes: Int) { self.likes = likes }
    }

    let post = AsyncData(snapshot: .value(Post(likes: 1)))

    /// Displays a change that is refused, and reads the value meanwhile.
    private func warnings(ofChange patch: @escaping (inout Post) -> Void) async -> [String] {
      let said = SaidWarnings()
      await AsyncStateWarnings.$local.withValue(AsyncStateWarnings { said.add($0) }) {
        _ = await post.mutate(patch) { [self] in
          expectEqual(post.value?.likes, 2)
          throw Failure()
        }
      }
      return said.all
    }

    @Test(
      "3.12 a change that writes to an object cannot be taken back, and a debug build says so; one that assigns a copy can"
    )
    func objects() async {
      let ofCopy = await warnings { $0 = Post(likes: $0.likes + 1) }
      expectEqual(post.value?.likes, 1)
      expect(ofCopy.isEmpty)
      let ofObject = await warnings { $0.likes += 1 }
      expectEqual(post.value?.likes, 2)
      expectEqual(ofObject.map { $0.contains("A Post is an object") }, isDebugBuild ? [true] : [])
    }
  }
}

extension AsyncOutcome where Success == [String]? {
  fileprivate var word: String {
    switch self {
    case .success(let value): value.map { $0.joined(separator: " ") } ?? "nothing"
    case .failure(let error): "failure \(error)"
    case .cancelled: "cancelled"
    case .superseded: "superseded"
    case .notRequested: "not requested"
    }
  }
}
