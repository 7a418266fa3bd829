// SPDX-License-Identifier: MIT
// A session on a server: data, host and observers on an actor of its own.

import AsyncState

struct Profile: Sendable {
  var name: String
}

final class ProfileView: ChildController {}

actor Session {
  private let profile = AsyncData<Profile>(options: LoadOptions(staleAfter: .seconds(60)))
  private var host: AsyncHost<Profile>?
  private var requestCount = 0

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

  /// A reading of values that are `Sendable` may be used on any actor.
  var snapshot: AsyncSnapshot<Profile> { profile.snapshot }

  private func fetchProfile() async -> Profile { Profile(name: "Ann") }
}

@MainActor
func name(in session: Session) async -> String? {
  await session.snapshot.value?.name
}
