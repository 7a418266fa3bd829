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

    @Test("3.12 a change that writes to an object cannot be taken back: a debug build says so")
    func written() async {
      let warnings = await warnings { $0.likes += 1 }
      expectEqual(post.value?.likes, 2)
      expectEqual(warnings.map { $0.contains("A Post is an object") }, isDebugBuild ? [true] : [])
    }

    @Test("3.12 a change that assigns a changed copy is taken back as any other, without a word")
    func assigned() async {
      let warnings = await warnings { $0 = Post(likes: $0.likes + 1) }
      expectEqual(post.value?.likes, 1)
      expect(warnings.isEmpty)
    }
  }
}
