// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT

import PackageDescription

// A client like any other, which `Tests/Stack/run` stops in the middle of a callback.
let package = Package(
  name: "Stack",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "AsyncState", path: "../..")],
  targets: [
    .executableTarget(name: "Way", dependencies: [.product(name: "AsyncState", package: "AsyncState")])
  ],
  swiftLanguageModes: [.v6]
)
