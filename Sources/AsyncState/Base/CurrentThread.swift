// SPDX-License-Identifier: MIT
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A thread, to compare with the one that runs elsewhere.
struct CurrentThread {
  private let number: UInt

  /// The thread that runs; nil where that is not known.
  init?() {
    guard let number = Self.running else { return nil }
    self.number = number
  }

  /// True if it runs.
  var isCurrent: Bool { number == Self.running }

  private static var running: UInt? {
    #if canImport(Darwin) || canImport(Musl)
      // Justified: it is only compared. Noticed: `ReporterElsewhereTests` (1.8).
      unsafe UInt(bitPattern: pthread_self())
    #elseif canImport(Android)
      UInt(bitPattern: pthread_self())
    #elseif canImport(Glibc)
      pthread_self()
    #else
      nil
    #endif
  }
}
