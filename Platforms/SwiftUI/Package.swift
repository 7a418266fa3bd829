// swift-tools-version: 6.2

import PackageDescription

// A stand-in for SwiftUI, so that the adapters of AsyncStateUI are type-checked and tested where there is no SwiftUI.
//
// It is a package of its own, because any target of the same build would find the stand-in with `canImport(SwiftUI)`. The
// sources of the library are symbolic links. Do not build it on a Mac: its module would shadow the system's.
let package = Package(
  name: "SwiftUIStandIn",
  platforms: [.macOS("15.4")],
  targets: [
    .target(name: "SwiftUI"),
    .target(name: "AsyncState", exclude: ["AsyncState.docc"]),
    .target(name: "AsyncStateTesting", dependencies: ["AsyncState"]),
    .target(name: "AsyncStateUI", dependencies: ["AsyncState", "SwiftUI"]),
    .target(name: "Screens", dependencies: ["AsyncStateUI"]),
    .testTarget(name: "AsyncStateUITests", dependencies: ["AsyncStateUI", "AsyncStateTesting", "Screens"]),
  ],
  swiftLanguageModes: [.v6]
)

let upcomingFeatures = [
  "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
  "InferIsolatedConformances",
]

// Apple's modules are compiled without them: their async closures belong to no actor. Nor are the examples.
for target in package.targets where !["SwiftUI", "Screens"].contains(target.name) {
  target.swiftSettings = (target.swiftSettings ?? []) + upcomingFeatures.map { .enableUpcomingFeature($0) }
}
