// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

let upcomingFeatures = [
  "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
  "InferIsolatedConformances",
]

// A stand-in for UIKit, so that the adapters of AsyncStateUI are type-checked and tested where there is no UIKit.
//
// It is a package of its own, because any target of the same build would find the stand-in with `canImport(UIKit)`. The
// sources of the library are symbolic links. Do not build it on a Mac: its module would shadow the system's.
let package = Package(
  name: "UIKitStandIn",
  defaultLocalization: "en",
  platforms: [.macOS(.v15)],
  targets: [
    .target(name: "UIKit", dependencies: ["Accessibility"]),
    // A phone has both, so the adapters for both are compiled together.
    .target(name: "SwiftUI", dependencies: ["UIKit"]),
    .target(name: "Network"),
    .target(name: "Accessibility"),
    .target(name: "WebKit", dependencies: ["UIKit"]),
    .target(name: "AsyncState", exclude: ["AsyncState.docc"]),
    .target(name: "AsyncStateLists", dependencies: ["AsyncState"]),
    .target(name: "AsyncStateJournal", dependencies: ["AsyncState"]),
    .target(name: "AsyncStateTesting", dependencies: ["AsyncState", "AsyncStateJournal"]),
    .target(
      name: "AsyncStateUI",
      dependencies: [
        "AsyncState", "AsyncStateLists", "AsyncStateJournal", "Accessibility", "Network", "WebKit", "UIKit", "SwiftUI",
      ],
      resources: [.process("Resources")]),
    .target(name: "Screens", dependencies: ["AsyncStateUI"]),
    .testTarget(
      name: "AsyncStateUITests", dependencies: ["AsyncStateUI", "AsyncStateTesting", "Screens"],
      // Swift Testing looks for a module of its own beside each UIKit.
      swiftSettings: [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]),
  ],
  swiftLanguageModes: [.v6]
)

// The examples are compiled as an app is, without them; so are Apple's modules, whose async closures belong to no actor.
for target in package.targets where !["Screens", "SwiftUI", "Network", "Accessibility", "WebKit"].contains(target.name)
{
  target.swiftSettings = (target.swiftSettings ?? []) + upcomingFeatures.map { .enableUpcomingFeature($0) }
}

// The samples of the documentation, as clients compile them. The folders are symbolic links to the first.
let samples: [(name: String, settings: [SwiftSetting])] = [
  ("Samples", []),
  ("SamplesUpcoming", upcomingFeatures.map { .enableUpcomingFeature($0) }),
  ("SamplesMainActor", [.defaultIsolation(MainActor.self)]),
  ("SamplesSwift5", [.swiftLanguageMode(.v5)]),
  ("SamplesStrictMemory", [.strictMemorySafety()]),
]
for (name, settings) in samples {
  package.targets.append(.target(name: name, dependencies: ["AsyncStateUI"], swiftSettings: settings))
}
