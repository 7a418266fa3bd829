// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT

import PackageDescription

// A package of its own, so that a client of the library depends on none of this.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "Report", targets: ["Report"]),
    .executable(name: "Growth", targets: ["Growth"]),
    .executable(name: "Behaviour", targets: ["Behaviour"]),
    .executable(name: "InstructionProbe", targets: ["InstructionProbe"]),
  ],
  dependencies: [
    .package(name: "AsyncState", path: ".."),
    // No traits: its own counter of allocations would stand where ours does.
    .package(url: "https://github.com/ordo-one/benchmark", exact: "1.38.1", traits: []),
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
    .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
  ],
  targets: [
    .target(
      name: "Workloads",
      dependencies: [
        .product(name: "AsyncState", package: "AsyncState"),
        .product(name: "AsyncStateLists", package: "AsyncState"),
        .product(name: "AsyncStateJournal", package: "AsyncState"),
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
      ]),
    .target(name: "HeapCounter"),
    .target(name: "SingleThread"),
    .executableTarget(name: "Report", dependencies: ["Workloads", "HeapCounter", "SingleThread"]),
    .executableTarget(
      name: "Growth",
      dependencies: [
        .product(name: "AsyncState", package: "AsyncState"),
        .product(name: "AsyncStateLists", package: "AsyncState"),
        .product(name: "AsyncStateJournal", package: "AsyncState"),
        .product(name: "AsyncStateTesting", package: "AsyncState"),
      ]),
    .executableTarget(
      name: "Behaviour",
      dependencies: [
        .product(name: "AsyncState", package: "AsyncState"),
        .product(name: "AsyncStateTesting", package: "AsyncState"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ]),
    .executableTarget(name: "InstructionProbe", dependencies: ["Workloads", "SingleThread"]),
    .executableTarget(
      name: "AsyncStateBenchmarks",
      dependencies: ["Workloads", "HeapCounter", .product(name: "Benchmark", package: "benchmark")],
      path: "Benchmarks/AsyncStateBenchmarks",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
  ],
  swiftLanguageModes: [.v6]
)
