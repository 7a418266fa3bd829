// swift-tools-version: 6.3

import PackageDescription

// A client like any other: the library's public interface, Swift 6, and no compiler flag.
let package = Package(
  name: "Newcomer",
  platforms: [.macOS("15.4")],
  dependencies: [.package(name: "AsyncState", path: "../..")],
  targets: [
    .target(name: "Newcomer", dependencies: [.product(name: "AsyncState", package: "AsyncState")]),
    .testTarget(
      name: "NewcomerTests",
      dependencies: ["Newcomer", .product(name: "AsyncStateTesting", package: "AsyncState")]),
  ],
  swiftLanguageModes: [.v6]
)
