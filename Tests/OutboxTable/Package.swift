// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT
import PackageDescription

let package = Package(
  name: "OutboxTable",
  targets: [
    .executableTarget(
      name: "OutboxTable", swiftSettings: [.unsafeFlags(["-Ounchecked"], .when(configuration: .release))])
  ]
)
