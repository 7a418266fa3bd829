// SPDX-License-Identifier: MIT
// What a person cannot see, in a real window: DesktopChecks order WALKS [SEED] | rows FOLDER | memory FOLDER CHANGES
import AsyncStateGTK
import CGtk
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())

/// A random sequence that is the same for the same seed.
struct Chance: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

@Gtk func finish(_ failures: [String]) -> Never {
  for failure in failures { print("FAILED", failure) }
  exit(failures.isEmpty ? 0 : 1)
}

exit(
  Gtk.run("org.example.DesktopChecks") { [arguments] application in
    // Justified: the pointer stays on this actor. Noticed: the compiler checks each use of it.
    nonisolated(unsafe) let application = application
    g_application_hold(application.cast())
    Task { @Gtk in
      switch (arguments.first, arguments.dropFirst().first, arguments.dropFirst(2).first) {
      case ("order", let walks?, let seed):
        finish(await order(walks: Int(walks)!, seed: seed.flatMap(UInt64.init) ?? 1, application))
      case ("rows", let folder?, _): finish(await rows(in: folder, application))
      case ("memory", let folder?, let changes?): finish(await memory(in: folder, changes: Int(changes)!, application))
      default:
        print("usage: DesktopChecks order WALKS [SEED] | rows FOLDER | memory FOLDER CHANGES")
        exit(2)
      }
    }
  })
