// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT

import PackageDescription

let library: [Target.Dependency] = ["AsyncState", "AsyncStateLists", "AsyncStateJournal"].map {
  .product(name: $0, package: "AsyncState")
}

let package = Package(
  name: "Desktop",
  products: [.library(name: "AsyncStateGTK", targets: ["AsyncStateGTK"])],
  dependencies: [.package(name: "AsyncState", path: "../..")],
  targets: [
    .systemLibrary(name: "CGtk", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
    // What any program on GTK can take.
    .target(name: "AsyncStateGTK", dependencies: ["CGtk"] + library),
    .target(name: "Browser", dependencies: ["CGtk", "AsyncStateGTK"] + library),
    .executableTarget(name: "Desktop", dependencies: ["AsyncStateGTK", "Browser"]),
    // Random walks, frames and memory, in a window of their own.
    .executableTarget(name: "DesktopChecks", dependencies: ["CGtk", "AsyncStateGTK", "Browser"] + library),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"), .enableUpcomingFeature("InferIsolatedConformances"),
  ]
}
