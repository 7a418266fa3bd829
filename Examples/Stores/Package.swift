// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT

import PackageDescription

// Stores for AsyncFamily and for AsyncOutbox, in a package of their own because one of them has a dependency. Without that one nothing is
// fetched: STORES_WITHOUT_DATABASE=1 swift test
let hasDatabase = Context.environment["STORES_WITHOUT_DATABASE"] == nil

// Stores for several processes, on PostgreSQL: STORES_WITH_POSTGRES=1 swift build. It needs Debian's libpq-dev.
let hasPostgres = Context.environment["STORES_WITH_POSTGRES"] != nil

let package = Package(
  name: "Stores",
  platforms: [.macOS(.v15), .iOS(.v18)],
  // For Examples/LiveFiles.
  products: [.library(name: "Stores", targets: ["Stores"])],
  dependencies: [
    .package(name: "AsyncState", path: "../..")
  ],
  targets: [
    .target(name: "Stores", dependencies: [.product(name: "AsyncState", package: "AsyncState")]),
    // Writes until it is killed, for the tests.
    .executableTarget(name: "StoreWriter", dependencies: ["Stores"]),
    // How the tests' processes talk.
    .target(name: "Sockets"),
    // Performs inputs until it is killed, and the server that they are sent to, for the tests.
    .executableTarget(
      name: "OutboxProgram", dependencies: ["Stores", "Sockets", .product(name: "AsyncState", package: "AsyncState")]),
    .testTarget(
      name: "StoresTests",
      dependencies: [
        "Stores", "Sockets", "StoreWriter", "OutboxProgram", .product(name: "AsyncStateTesting", package: "AsyncState"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

if hasDatabase {
  // On Linux it needs Debian's libsqlite3-dev.
  package.dependencies.append(.package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"))
  for target in package.targets {
    target.dependencies.append(.product(name: "GRDB", package: "GRDB.swift"))
    target.swiftSettings = [.define("DATABASE")]
  }
}

if hasPostgres {
  let settings: [SwiftSetting] = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
  package.products.append(.library(name: "PostgresStores", targets: ["PostgresStores"]))
  package.targets += [
    .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(
      name: "PostgresStores", dependencies: ["CPostgres", .product(name: "AsyncState", package: "AsyncState")],
      swiftSettings: settings),
    // A server of which several processes run, for Tests/processes.
    .executableTarget(
      name: "NotesProgram", dependencies: ["PostgresStores", .product(name: "AsyncState", package: "AsyncState")],
      swiftSettings: settings),
  ]
}
