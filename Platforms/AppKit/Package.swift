// swift-tools-version: 6.2

import PackageDescription

// A stand-in for AppKit, so that the adapters of AsyncStateUI are type-checked and tested where there is no AppKit.
//
// It is a package of its own, because any target of the same build would find the stand-in with `canImport(AppKit)`. The
// sources of the library are symbolic links. Do not build it on a Mac: its module would shadow the system's.
let package = Package(
  name: "AppKitStandIn",
  platforms: [.macOS("15.4")],
  targets: [
    .target(name: "AppKit"),
    .target(name: "AsyncState", exclude: ["AsyncState.docc"]),
    .target(name: "AsyncStateTesting", dependencies: ["AsyncState"]),
    .target(name: "AsyncStateUI", dependencies: ["AsyncState", "AppKit"]),
    .testTarget(
      name: "AsyncStateUITests", dependencies: ["AsyncStateUI", "AsyncStateTesting"],
      // Swift Testing looks for a module of its own beside each AppKit.
      swiftSettings: [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]),
  ],
  swiftLanguageModes: [.v6]
)

let upcomingFeatures = [
  "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
  "InferIsolatedConformances",
]

// Apple's modules are compiled without them: their async closures belong to no actor.
for target in package.targets where target.name != "AppKit" {
  target.swiftSettings = (target.swiftSettings ?? []) + upcomingFeatures.map { .enableUpcomingFeature($0) }
}
