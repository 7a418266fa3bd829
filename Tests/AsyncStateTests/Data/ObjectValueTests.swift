// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// A change of a value that is an object.
  @MainActor
  struct ObjectValueTests {
    final class Post {
      var likes: Int
      init(likes: Int) { self.likes = likes }
    }

    let post = AsyncData<Post>()

    init() {
      post.value = Post(likes: 1)
    }

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
      "3.12 a change that writes to an object cannot be taken back, and a debug build says so; one that assigns a copy can")
    func change() async {
      let ofCopy = await warnings { $0 = Post(likes: $0.likes + 1) }
      expectEqual(post.value?.likes, 1)
      expect(ofCopy.isEmpty)
      let ofObject = await warnings { $0.likes += 1 }
      expectEqual(post.value?.likes, 2)
      expectEqual(ofObject.map { $0.contains("A Post is an object") }, isDebugBuild ? [true] : [])
    }
  }
}
