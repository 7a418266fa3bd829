// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT

import PackageDescription

// A client like any other: it has the library's public interface, and no compiler flag of its own.
let package = Package(
  name: "Stress",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "AsyncState", path: "../..")],
  targets: [
    .executableTarget(
      name: "Stress",
      dependencies: [
        .product(name: "AsyncState", package: "AsyncState"),
        .product(name: "AsyncStateLists", package: "AsyncState"),
        .product(name: "AsyncStateJournal", package: "AsyncState"),
        .product(name: "AsyncStateTesting", package: "AsyncState"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
