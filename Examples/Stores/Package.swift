// swift-tools-version: 6.3

import PackageDescription

// Stores for AsyncFamily, in a package of their own because one of them has a dependency.
let package = Package(
  name: "Stores",
  platforms: [.macOS("15.4"), .iOS("18.4")],
  dependencies: [
    .package(name: "AsyncState", path: "../.."),
    // On Linux it needs Debian's libsqlite3-dev.
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .target(
      name: "Stores",
      dependencies: [
        .product(name: "AsyncState", package: "AsyncState"), .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    // Writes until it is killed, for the tests.
    .executableTarget(name: "StoreWriter", dependencies: ["Stores"]),
    .testTarget(
      name: "StoresTests",
      dependencies: [
        "Stores", "StoreWriter", .product(name: "AsyncStateTesting", package: "AsyncState"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
