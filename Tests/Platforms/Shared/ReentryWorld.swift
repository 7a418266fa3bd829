// SPDX-License-Identifier: MIT
#if canImport(UIKit)
  import UIKit
#else
  import AppKit
#endif
import Testing

/// Where all callbacks arrive; one of them carries out the action.
@MainActor
final class Hooks {
  var names: [String] = []
  var chosen: Int?
  var action: () -> Void = {}

  func call(_ name: String) {
    names.append(name)
    guard names.count == chosen else { return }
    let action = action
    self.action = {}
    action()
  }
}

/// Screens with children, which always go the same way while a method is called in one callback.
@MainActor
protocol ReentryWorld: AnyObject {
  init()

  var hooks: Hooks { get }
  /// What is called in the chosen callback.
  var actions: [(name: String, body: () -> Void)] { get }
  /// What the stand-in has found.
  var violations: [String] { get }

  func run()
}

extension ReentryWorld {
  /// Calls each method in each callback, and records what breaks the documented order or is left open.
  ///
  /// - Parameter least: How many callbacks there have to be.
  static func callEachInEach(least: Int) {
    let plain = Self()
    plain.run()
    #expect(plain.violations == [] && StandIn.audit() == [])
    let names = plain.hooks.names
    #expect(names.count > least)
    var found: [String: [String]] = [:]
    for number in plain.actions.indices {
      for chosen in 1...names.count {
        let world = Self()
        let (name, body) = world.actions[number]
        world.hooks.chosen = chosen
        world.hooks.action = body
        world.run()
        world.hooks.action = {}
        for finding in world.violations + StandIn.audit() {
          found["\(name): \(finding)", default: []].append("\(chosen) \(names[chosen - 1])")
        }
      }
    }
    for (finding, places) in found.sorted(by: { $0.key < $1.key }) { Issue.record("\(finding) in \(places)") }
    StandIn.reset()
  }
}
