// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
@testable import AsyncStateUI
import Network
import Testing
import UIKit

extension StandInTests {
  @MainActor
  @Suite(.serialized)
  struct NetworkTests {
    @Test("15.7 the system is believed that there is no network if it has had one, and never on a watch")
    func reports() {
      var phone = NetworkCondition(isReliable: true)
      phone.note(.unsatisfied)
      #expect(phone.isOnline, "a simulator after one loss")
      phone.note(.satisfied)
      phone.note(.unsatisfied)
      #expect(!phone.isOnline)
      phone.note(.requiresConnection)
      #expect(phone.isOnline)
      phone.note(.unsatisfied)
      phone.insist()
      #expect(phone.isOnline)
      phone.note(.unsatisfied)
      #expect(!phone.isOnline)
      var watch = NetworkCondition(isReliable: false)
      for status in [NWPath.Status.unsatisfied, .satisfied, .unsatisfied] {
        watch.note(status)
        #expect(watch.isOnline)
      }
    }

    @Test("15.7 a person can insist where the system says that there is no network: the request that waits is sent")
    func insisting() async throws {
      StandIn.reset()
      let window = UIWindow()
      window.makeKeyAndVisible()
      let gate = ManualServer<String?>()
      let resource = AsyncResource(options: LoadOptions(gate: .online)) { try await gate.wait() }
      NWPathMonitor.change(to: .satisfied)
      NWPathMonitor.change(to: .unsatisfied)
      defer { NWPathMonitor.change(to: .satisfied) }
      let screen = AsyncViewController(resource) { _ in UIViewController() }
      window.rootViewController = screen
      #expect(resource.isWaiting && gate.callCount == 0)
      let waiting = screen.contentUnavailableConfiguration as? UIContentUnavailableConfiguration
      #expect(waiting?.text == "Waiting for a connection." && waiting?.button.title == "Try Again")
      try #require(waiting?.buttonProperties.primaryAction).performWithSender(nil, target: nil)
      await gate.arrived(1)
      gate.answer(call: 1, with: .success("a"))
      await resource.settled()
      #expect(resource.value == "a")
    }

    @Test("15.7 a gate of one's own has no button that passes it")
    func ownGate() {
      StandIn.reset()
      let window = UIWindow()
      window.makeKeyAndVisible()
      let resource = AsyncResource<String>(options: LoadOptions(gate: LoadGate(isOpen: false))) { nil }
      let screen = AsyncViewController(resource) { _ in UIViewController() }
      window.rootViewController = screen
      let waiting = screen.contentUnavailableConfiguration as? UIContentUnavailableConfiguration
      #expect(waiting?.text == "Waiting for a connection." && waiting?.buttonProperties.primaryAction == nil)
      resource.cancel()
    }

    @Test("15.7 the button is there while the system says that there is no network, whatever else a gate waits for")
    func twoConditions() async throws {
      StandIn.reset()
      let window = UIWindow()
      window.makeKeyAndVisible()
      NWPathMonitor.change(to: .satisfied)
      defer { NWPathMonitor.change(to: .satisfied) }
      let isLoggedIn = Input(false)
      let gate = LoadGate(isOpen: false)
      let following = gate.follow(LoadGate.isOnline && isLoggedIn)
      let resource = AsyncResource<String>(options: LoadOptions(gate: gate)) { "a" }
      let screen = AsyncViewController(resource) { _ in UIViewController() }
      window.rootViewController = screen
      var button: UIAction? {
        (screen.contentUnavailableConfiguration as? UIContentUnavailableConfiguration)?.buttonProperties.primaryAction
      }
      #expect(resource.isWaiting && button == nil)
      NWPathMonitor.change(to: .unsatisfied)
      try #require(button).performWithSender(nil, target: nil)
      #expect(resource.isWaiting && button == nil)
      isLoggedIn.write(true)
      await resource.settled()
      #expect(resource.value == "a")
      withExtendedLifetime(following) {}
    }
  }
}
