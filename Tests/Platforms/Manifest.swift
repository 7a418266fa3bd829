// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

// The manifest of each stand-in: of UIKit and of AppKit with SwiftUI beside them, as a phone and a Mac have both, and of SwiftUI
// alone. The folder says which one.
//
// Each is a package of its own, because any target of the same build would find the stand-in with `canImport`. The sources of
// the library are symbolic links, and so is this file. Do not build them on a Mac: their modules would shadow the system's.
let framework = String(Context.packageDirectory.split(separator: "/").last ?? "")
let hasControllers = framework != "SwiftUI"
let hasScreens = framework != "AppKit"

let upcomingFeatures: [SwiftSetting] = [
  "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
  "InferIsolatedConformances",
].map { .enableUpcomingFeature($0) }

func dependencies(_ names: String..., controllers: [String] = [], screens: [String] = []) -> [Target.Dependency] {
  (names + (hasControllers ? controllers : []) + (hasScreens ? screens : [])).map { .init(stringLiteral: $0) }
}

// Apple's modules are compiled without these features: their async closures belong to no actor.
var apples: [Target] = [
  .target(name: "SwiftUI", dependencies: dependencies(controllers: [framework])),
  .target(name: "Network"),
  .target(name: "Accessibility"),
]
if hasControllers {
  apples += [
    .target(name: framework, dependencies: ["Accessibility"]),
    .target(name: "WebKit", dependencies: dependencies(framework)),
    .target(name: "Toolkit", dependencies: dependencies(framework)),
  ]
}

let library: [Target] = [
  .target(name: "AsyncState", exclude: ["AsyncState.docc"]),
  .target(name: "AsyncStateLists", dependencies: ["AsyncState"]),
  .target(name: "AsyncStateJournal", dependencies: ["AsyncState"]),
  .target(name: "AsyncStateTesting", dependencies: ["AsyncState", "AsyncStateJournal"]),
  .target(
    name: "AsyncStateUI",
    dependencies: dependencies(
      "AsyncState", "AsyncStateLists", "AsyncStateJournal", "Accessibility", "Network", "SwiftUI",
      controllers: ["WebKit", framework]),
    resources: [.process("Resources")]),
  .testTarget(
    name: "AsyncStateUITests",
    dependencies: dependencies("AsyncStateUI", "AsyncStateTesting", controllers: ["Toolkit"], screens: ["Screens"]),
    // Swift Testing looks for a module of its own beside each UIKit and AppKit.
    swiftSettings: [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]),
]
for target in library { target.swiftSettings = (target.swiftSettings ?? []) + upcomingFeatures }

// The samples of the documentation, as clients compile them. The folders are symbolic links to the first.
var clients: [Target] = [
  ("Samples", []),
  ("SamplesUpcoming", upcomingFeatures),
  ("SamplesMainActor", [.defaultIsolation(MainActor.self)]),
  ("SamplesSwift5", [.swiftLanguageMode(.v5)]),
  ("SamplesStrictMemory", [.strictMemorySafety()]),
].map { .target(name: $0, dependencies: ["AsyncStateUI"], swiftSettings: $1) }
// The examples, as an app has them.
if hasScreens { clients.append(.target(name: "Screens", dependencies: ["AsyncStateUI"])) }
// The README's samples and nothing else, as in an app that was created for them.
if !hasControllers { clients.append(.target(name: "Readme", dependencies: ["AsyncStateUI"])) }

let package = Package(
  name: "\(framework)StandIn",
  defaultLocalization: "en",
  platforms: [.macOS(.v15)],
  targets: apples + library + clients,
  swiftLanguageModes: [.v6]
)
