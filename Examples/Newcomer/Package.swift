// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT

import PackageDescription

let library: [Target.Dependency] = ["AsyncState", "AsyncStateLists", "AsyncStateJournal"].map {
  .product(name: $0, package: "AsyncState")
}
let testing = library + [.product(name: "AsyncStateTesting", package: "AsyncState")]

// A client like any other: the library's public interface, Swift 6, and no compiler flag. One test target has what
// Xcode's new projects have: everything belongs to the main actor by default.
let package = Package(
  name: "Newcomer",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "AsyncState", path: "../..")],
  targets: [
    .target(name: "Newcomer", dependencies: library),
    .testTarget(name: "NewcomerTests", dependencies: ["Newcomer"] + testing),
    // The samples of the documentation: they must work here, too.
    .testTarget(name: "DocumentationTests", dependencies: testing),
    .testTarget(name: "PositionTests", dependencies: testing),
    .testTarget(
      name: "DefaultIsolationTests", dependencies: testing, swiftSettings: [.defaultIsolation(MainActor.self)]),
  ],
  swiftLanguageModes: [.v6]
)
