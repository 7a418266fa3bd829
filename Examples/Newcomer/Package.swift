// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT

import PackageDescription

// A client like any other: the library's public interface, Swift 6, and no compiler flag. One test target has what
// Xcode's new projects have: everything belongs to the main actor by default.
let package = Package(
  name: "Newcomer",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "AsyncState", path: "../..")],
  targets: [
    .target(name: "Newcomer", dependencies: [.product(name: "AsyncState", package: "AsyncState")]),
    .testTarget(
      name: "NewcomerTests",
      dependencies: ["Newcomer", .product(name: "AsyncStateTesting", package: "AsyncState")]),
    // The samples of the documentation: they must work here, too.
    .testTarget(
      name: "DocumentationTests", dependencies: [.product(name: "AsyncStateTesting", package: "AsyncState")]),
    .testTarget(
      name: "PositionTests", dependencies: [.product(name: "AsyncStateTesting", package: "AsyncState")]),
    .testTarget(
      name: "DefaultIsolationTests", dependencies: [.product(name: "AsyncStateTesting", package: "AsyncState")],
      swiftSettings: [.defaultIsolation(MainActor.self)]),
  ],
  swiftLanguageModes: [.v6]
)
