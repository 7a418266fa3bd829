// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

let upcomingFeatures = [
  "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
  "InferIsolatedConformances",
]

// A stand-in for SwiftUI, so that the adapters of AsyncStateUI are type-checked and tested where there is no SwiftUI.
//
// It is a package of its own, because any target of the same build would find the stand-in with `canImport(SwiftUI)`. The
// sources of the library are symbolic links. Do not build it on a Mac: its module would shadow the system's.
let package = Package(
  name: "SwiftUIStandIn",
  defaultLocalization: "en",
  platforms: [.macOS(.v15)],
  targets: [
    .target(name: "SwiftUI"),
    .target(name: "Network"),
    .target(name: "Accessibility"),
    .target(name: "AsyncState", exclude: ["AsyncState.docc"]),
    .target(name: "AsyncStateLists", dependencies: ["AsyncState"]),
    .target(name: "AsyncStateJournal", dependencies: ["AsyncState"]),
    .target(name: "AsyncStateTesting", dependencies: ["AsyncState", "AsyncStateJournal"]),
    .target(
      name: "AsyncStateUI",
      dependencies: ["AsyncState", "AsyncStateLists", "AsyncStateJournal", "Accessibility", "Network", "SwiftUI"],
      resources: [.process("Resources")]),
    .target(name: "Screens", dependencies: ["AsyncStateUI"]),
    // The README's samples and nothing else, as in an app that was created for them.
    .target(name: "Readme", dependencies: ["AsyncStateUI"]),
    .testTarget(name: "AsyncStateUITests", dependencies: ["AsyncStateUI", "AsyncStateTesting", "Screens"]),
  ],
  swiftLanguageModes: [.v6]
)

// Apple's modules are compiled without them: their async closures belong to no actor. Nor are the examples.
let plain = ["SwiftUI", "Network", "Accessibility", "Screens", "Readme"]
for target in package.targets where !plain.contains(target.name) {
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
