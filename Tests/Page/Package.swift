// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT

import PackageDescription

// Makes the pages that `run` opens in a browser.
let package = Package(
  name: "MakePage",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "AsyncState", path: "../..")],
  targets: [
    .executableTarget(
      name: "MakePage",
      dependencies: [
        .product(name: "AsyncState", package: "AsyncState"), .product(name: "AsyncStateJournal", package: "AsyncState"),
        .product(name: "AsyncStateTesting", package: "AsyncState"),
      ])
  ]
)
