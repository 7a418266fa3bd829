// SPDX-License-Identifier: MIT
// What any actor may use keeps nothing that belongs to one.

import AsyncState

final class Place: Hashable {
  var name = ""

  static func == (left: Place, right: Place) -> Bool { left.name == right.name }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

enum Application {
  // expected-error: static property 'user' is not concurrency-safe because non-'Sendable' type 'AsyncData<String>'
  static let user = AsyncData<String>()
}

final class Model: Sendable {
  // expected-error: stored property 'user' of 'Sendable'-conforming class 'Model' has non-Sendable type
  let user = AsyncData<String>()
  // expected-error: stored property 'input' of 'Sendable'-conforming class 'Model' has non-Sendable type
  let input = Input(0)
  // A token may be shared: it can be cancelled on any thread.
  let token: ObservedToken

  init(_ token: ObservedToken) {
    self.token = token
  }
}

/// A policy is a plain value.
func patient(_ place: Place) -> RetryPolicy {
  RetryPolicy { _ in
    // expected-error: capture of 'place' with non-Sendable type 'Place' in a '@Sendable' closure
    place.name += "1"
    return .seconds(1)
  }
}

/// So is a tag.
func tag(_ place: Place) -> AsyncTag {
  // expected-error: type 'Place' does not conform to the 'Sendable' protocol
  AsyncTag(place)
}

/// The consumer of a stream may be on any actor.
@MainActor
func follow(_ place: Observed<Place>) async {
  // expected-error: type 'Place' does not conform to the 'Sendable' protocol
  for await place in place.values { print(place.name) }
}

actor Downloader {
  func download(progress: @escaping @Sendable (Double) -> Void) -> String {
    progress(1)
    return "file"
  }
}

/// Progress arrives on another actor: it has to be brought back before it is reported.
@MainActor
func download(_ file: AsyncData<String>, with downloader: Downloader) {
  file.start { (reporter: LoadReporter<String>) in
    await downloader.download { progress in
      // expected-error: capture of 'reporter' with non-Sendable type 'LoadReporter<String>' in a '@Sendable' closure
      reporter.report(progress: progress)
    }
  }
}

struct Key {
  let name: String
}

/// The entries of a family are found by the hash of their key.
@MainActor
func open() {
  // expected-error: does not conform to protocol 'Hashable'
  _ = AsyncFamily<Key, String> { (key: Key) in key.name }
}
