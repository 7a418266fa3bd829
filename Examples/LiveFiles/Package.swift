// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT

import PackageDescription

let package = Package(
  name: "LiveFiles",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "AsyncState", path: "../.."),
    .package(name: "Stores", path: "../Stores"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    // On Linux it needs Debian's libsqlite3-dev.
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .executableTarget(
      name: "LiveFiles",
      dependencies: [
        .product(name: "AsyncState", package: "AsyncState"),
        .product(name: "AsyncStateJournal", package: "AsyncState"),
        .product(name: "Stores", package: "Stores"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      resources: [
        .embedInCode("Assets/page.html"), .embedInCode("Assets/live.css"), .embedInCode("Assets/live.js"),
      ],
      swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")])
  ],
  swiftLanguageModes: [.v6]
)
