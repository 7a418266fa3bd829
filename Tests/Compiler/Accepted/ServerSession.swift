// SPDX-License-Identifier: MIT
// A session on a server: data, host and observers on an actor of its own, values that are not `Sendable` and stay there, and data
// that moves there, once.

import AsyncState

struct Profile: Sendable {
  var name: String
}

final class Document {
  var title = ""
}

final class ProfileView: ChildController {}

actor Session {
  private let profile = AsyncData<Profile>(options: LoadOptions(staleAfter: .seconds(60)))
  private let document = AsyncData<Document>()
  private var user: AsyncData<String>?
  private var host: AsyncHost<Profile>?
  private var requestCount = 0

  func adopt(_ user: sending AsyncData<String>) { self.user = user }

  func open() {
    let host = AsyncHost(
      data: profile, request: { data, mode in data.start(mode) { await self.fetchProfile() } },
      children: { _ in [ProfileView()] })
    self.host = host
    host.appear(animated: false)
    host.start()
  }

  func refresh() async -> Profile? {
    await profile.load(.refresh) {
      self.requestCount += 1
      return await self.fetchProfile()
    }
    return profile.value
  }

  func rename(to name: String) async -> Bool {
    let outcome = await profile.mutate({ $0.name = name }, commit: { Profile(name: name) })
    return (try? outcome.get()) != nil
  }

  func title() async -> String? {
    await document.load { () async throws -> Document? in
      let document = Document()
      document.title = await self.fetchProfile().name
      return document
    }
    return document.value?.title
  }

  /// A reading of values that are `Sendable` may be used on any actor.
  var snapshot: AsyncSnapshot<Profile> { profile.snapshot }

  private func fetchProfile() async -> Profile { Profile(name: "Ann") }
}

@MainActor
func name(in session: Session) async -> String? {
  await session.snapshot.value?.name
}

func signIn(to session: Session) async {
  let user = AsyncData<String>(seed: "Guest")
  user.invalidate()
  await session.adopt(user)
}

@MainActor
func preview(_ document: AsyncData<Document>) {
  document.start { (reporter: LoadReporter<Document>) in
    try reporter.yield(Document())
    reporter.report(progress: 0.5)
    return reporter.current
  }
}
