// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT

import PackageDescription

// Random sequences beside plainly written models, every short sequence, each method inside each callback. A package of its own,
// because `swift test` of the library would take twice as long.
let package = Package(
  name: "Random",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "AsyncState", path: "../..")],
  targets: [
    // Support, Plumbing and AllTests.swift are links to those of the library's tests.
    .testTarget(
      name: "RandomTests",
      dependencies: ["AsyncState", "AsyncStateLists", "AsyncStateJournal", "AsyncStateTesting"].map {
        .product(name: $0, package: "AsyncState")
      })
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
    "InferIsolatedConformances",
  ].map { .enableUpcomingFeature($0) }
}
