// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// The request of the command line.
enum Invocation: Equatable {
  case tour(TourOptions)
  case browse(BrowseOptions)
  /// The names of the scenes.
  case list
  case help

  private static let tourOptions = "--scene NAME, --seed N, --speed X, --plain, --list, --help, PATH"
  private static let browseOptions = "--seed N, --lag MILLISECONDS, --faults, --plain, --help, PATH"

  /// Reads the words after the command's name.
  ///
  /// - Parameter sceneNames: The scenes that there are.
  init(_ arguments: [[UInt8]], sceneNames: [String]) throws(UsageError) {
    var words = Arguments(arguments)
    if words.takeCommand("browse") {
      self = try .browse(from: &words)
    } else {
      self = try .tour(from: &words, sceneNames: sceneNames)
    }
  }

  private static func tour(from words: inout Arguments, sceneNames: [String]) throws(UsageError) -> Invocation {
    let possible = "\(tourOptions); or “browse” and \(browseOptions)"
    var options = TourOptions(scenes: [])
    var isList = false
    var hasPath = false
    while let word = words.next() {
      switch word {
      case .option("--scene"): options.scenes += try words.names(of: "--scene", among: sceneNames)
      case .option("--seed"): options.seed = try words.number(of: "--seed", in: 0...UInt64.max)
      case .option("--speed"): options.speed = try words.number(of: "--speed", in: 0.1...1000)
      case .option("--plain"): options.isPlain = try words.flag("--plain")
      case .option("--list"): isList = try words.flag("--list")
      case .option("--help"), .option("-h"): return .help
      case .option(let name): throw .unknown(option: name, possible: possible)
      case .operand(let path) where hasPath: throw .excess(operand: path, possible: possible)
      case .operand(let path): (options.path, hasPath) = (path, true)
      }
    }
    if options.scenes.isEmpty { options.scenes = sceneNames }
    return isList ? .list : .tour(options)
  }

  private static func browse(from words: inout Arguments) throws(UsageError) -> Invocation {
    let possible = "browse \(browseOptions)"
    var options = BrowseOptions()
    var hasPath = false
    while let word = words.next() {
      switch word {
      case .option("--seed"): options.seed = try words.number(of: "--seed", in: 0...UInt64.max)
      case .option("--lag"): options.lag = try words.number(of: "--lag", in: 0...60_000)
      case .option("--faults"): options.hasFaults = try words.flag("--faults")
      case .option("--plain"): options.isPlain = try words.flag("--plain")
      case .option("--help"), .option("-h"): return .help
      case .option(let name): throw .unknown(option: name, possible: possible)
      case .operand(let path) where hasPath: throw .excess(operand: path, possible: possible)
      case .operand(let path): (options.path, hasPath) = (path, true)
      }
    }
    return .browse(options)
  }
}
#endif
