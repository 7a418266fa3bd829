// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState

/// The browser as a command: in a terminal, or once and in lines.
@MainActor
struct Browse {
  let options: BrowseOptions

  private var conduct: LaggyBackend.Conduct {
    var conduct = LaggyBackend.Conduct(meanLag: .milliseconds(options.lag))
    if options.hasFaults { conduct.faultRate = LaggyBackend.Conduct.usualFaultRate }
    return conduct
  }

  /// Runs until the user quits, or until the listing is printed.
  ///
  /// - Returns: The exit status.
  /// - Throws: Why the folder cannot be listed, or the list not be written.
  func run() async throws -> Int32 {
    let path = try FilePath(options.path)
    if !options.isPlain && Terminal.isAvailable, let status = await Terminal.takeOver({ await browse(path, on: $0) }) {
      return status
    }
    let backend = LaggyBackend(.constant(conduct), seed: options.seed, clock: ContinuousClock())
    try await PlainListing(of: path, through: FolderService(backend)).print()
    return ExitStatus.success
  }

  private func browse(_ path: FilePath, on terminal: Terminal) async -> Int32 {
    let browser = Browser(
      at: path, conduct: conduct, seed: options.seed, size: terminal.size, clock: ContinuousClock())
    browser.appear()
    defer { browser.disappear() }
    let redrawing = Redrawing { terminal.show(browser.frame) }

    while true {
      switch await terminal.nextEvent() {
      case .key(let key):
        switch BrowserInput(key) {
        case .command(let command): browser.perform(command)
        case .quit: return ExitStatus.success
        case .interrupt: return ExitStatus.interrupt
        case nil: break
        }
      case .redraw:
        browser.resize(to: terminal.size)
        redrawing.drawNow()
      case .stop(let signal): return ExitStatus.signal(signal)
      case .hangUp: return ExitStatus.hangUp
      }
    }
  }
}
#endif
