// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT

import PackageDescription

let package = Package(
  name: "MassiveScreen",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "AsyncState", path: "../..")],
  targets: [
    .target(
      name: "MassiveScreen",
      dependencies: [
        .product(name: "AsyncState", package: "AsyncState"), .product(name: "AsyncStateLists", package: "AsyncState"),
      ]),
    .testTarget(
      name: "MassiveScreenTests",
      dependencies: ["MassiveScreen", .product(name: "AsyncStateTesting", package: "AsyncState")]),
  ],
  swiftLanguageModes: [.v6]
)
