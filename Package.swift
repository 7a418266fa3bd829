// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT

import PackageDescription

let package = Package(
  name: "AsyncState",
  // The texts of AsyncStateUI are translated; English is what there is for any other language.
  defaultLocalization: "en",
  // `Synchronization`, whose atomic values and locks need no other library, came with these.
  // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0433-mutex.md
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "AsyncState", targets: ["AsyncState"]),
    .library(name: "AsyncStateLists", targets: ["AsyncStateLists"]),
    .library(name: "AsyncStateJournal", targets: ["AsyncStateJournal"]),
    .library(name: "AsyncStateUI", targets: ["AsyncStateUI"]),
    .library(name: "AsyncStateTesting", targets: ["AsyncStateTesting"]),
  ],
  // No dependencies, and none to come: a client depends on nothing else.
  dependencies: [],
  targets: [
    .target(name: "AsyncState"),
    .target(name: "AsyncStateLists", dependencies: ["AsyncState"]),
    .target(name: "AsyncStateJournal", dependencies: ["AsyncState"]),
    // Empty where there is no UIKit, AppKit or SwiftUI. Tests/Platforms/ builds and tests it against stand-ins.
    .target(
      name: "AsyncStateUI", dependencies: ["AsyncState", "AsyncStateLists", "AsyncStateJournal"],
      resources: [.process("Resources")]),
    .target(name: "AsyncStateTesting", dependencies: ["AsyncState", "AsyncStateJournal"]),
    // No product: `swift run AsyncStateDemo` is for readers of this package.
    .executableTarget(name: "AsyncStateDemo", dependencies: ["AsyncState", "AsyncStateJournal", "AsyncStateTesting"]),
    .testTarget(
      name: "AsyncStateTests",
      dependencies: ["AsyncState", "AsyncStateLists", "AsyncStateJournal", "AsyncStateTesting"]),
    // What the demo decides and draws. Tests/Demo drives the demo itself.
    .testTarget(
      name: "AsyncStateDemoTests",
      dependencies: [
        "AsyncState", "AsyncStateJournal", "AsyncStateTesting",
        .target(name: "AsyncStateDemo", condition: .when(platforms: [.macOS, .linux])),
      ]),
    .testTarget(
      name: "AsyncStateUITests", dependencies: ["AsyncState", "AsyncStateLists", "AsyncStateUI", "AsyncStateTesting"]),
  ],
  swiftLanguageModes: [.v6]
)

// Every target here is compiled with these. A client needs none of them.
let upcomingFeatures = [
  // `any` is written where a protocol is used as a type.
  // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
  "ExistentialAny",
  // An import is visible to clients only where it says so.
  // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
  "InternalImportsByDefault",
  // A member is visible only in a file that imports its module.
  // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
  "MemberImportVisibility",
  // A nonisolated async function runs on its caller's actor. The loads stand on this one: an operation may touch what its
  // owner touches, and may return what is not `Sendable`. Before Swift 6.3.3 a closure on an actor (not on the main actor)
  // whose capture list does not name `self` runs elsewhere: https://github.com/swiftlang/swift/issues/87097
  // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0461-async-function-isolation.md
  "NonisolatedNonsendingByDefault",
  // A conformance of an isolated type is isolated with it.
  // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0470-isolated-conformances.md
  "InferIsolatedConformances",
]

// Each expression that the compiler cannot find safe is marked `unsafe`, beside its reason: `Tests/README.md` lists them.
// In debug builds, because release builds leave out checks of exclusive access: there, the compiler would have each access
// marked, though debug builds have checked it.
// https://github.com/swiftlang/swift-evolution/blob/main/proposals/0458-strict-memory-safety.md
let memorySafety = SwiftSetting.strictMemorySafety(.when(configuration: .debug))

for target in package.targets {
  target.swiftSettings = (target.swiftSettings ?? []) + upcomingFeatures.map { .enableUpcomingFeature($0) }
  if target.type != .test { target.swiftSettings?.append(memorySafety) }
}
