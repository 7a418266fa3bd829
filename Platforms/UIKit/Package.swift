// swift-tools-version: 6.2

import PackageDescription

// A stand-in for UIKit, so that the adapters of AsyncStateUI are type-checked and tested where there is no UIKit.
//
// It is a package of its own, because any target of the same build would find the stand-in with `canImport(UIKit)`. The
// sources of the library are symbolic links. Do not build it on a Mac: its module would shadow the system's.
let package = Package(
  name: "UIKitStandIn",
  platforms: [.macOS("15.4")],
  targets: [
    .target(name: "UIKit"),
    .target(name: "AsyncState", exclude: ["AsyncState.docc"]),
    .target(name: "AsyncStateTesting", dependencies: ["AsyncState"]),
    .target(name: "AsyncStateUI", dependencies: ["AsyncState", "UIKit"]),
    .target(name: "Screens", dependencies: ["AsyncStateUI"]),
    .testTarget(
      name: "AsyncStateUITests", dependencies: ["AsyncStateUI", "AsyncStateTesting", "Screens"],
      // Swift Testing looks for a module of its own beside each UIKit.
      swiftSettings: [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]),
  ],
  swiftLanguageModes: [.v6]
)

let upcomingFeatures = [
  "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
  "InferIsolatedConformances",
]

// The examples are compiled as an app is, without them.
for target in package.targets where target.name != "Screens" {
  target.swiftSettings = (target.swiftSettings ?? []) + upcomingFeatures.map { .enableUpcomingFeature($0) }
}
