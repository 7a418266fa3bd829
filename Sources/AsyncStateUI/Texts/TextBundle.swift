// SPDX-License-Identifier: MIT
#if canImport(SwiftUI) || canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import Foundation

  /// Finds the translations of this module.
  ///
  /// Not `Bundle.module`, which stops the process where it does not find them: a preview or a framework without them has
  /// English texts.
  enum TextBundle {
    private final class Anchor {}

    /// The bundle among those that contain this code, or beside them; nil: none of them has it.
    static func find() -> Bundle? {
      let code = Bundle(for: Anchor.self)
      let beside = sequence(first: code.bundleURL) { $0.deletingLastPathComponent() }.dropFirst().prefix(3)
      return find(in: [Bundle.main.resourceURL, Bundle.main.bundleURL, code.resourceURL].compactMap(\.self) + beside)
    }

    /// The bundle in the first folder that has it. Its name begins with that of the package.
    static func find(in folders: [URL]) -> Bundle? {
      for folder in folders {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let name = names.first { $0.hasSuffix("_AsyncStateUI.bundle") || $0.hasSuffix("_AsyncStateUI.resources") }
        if let name, let bundle = Bundle(url: folder.appending(path: name)) { return bundle }
      }
      return nil
    }
  }
#endif
