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
  /// - Throws: Why the folder cannot be listed.
  func run() async throws -> Int32 {
    let path = try FilePath(options.path ?? ".")
    guard !options.isPlain, Terminal.isAvailable else {
      let backend = LaggyBackend(.constant(conduct), seed: options.seed, clock: ContinuousClock())
      try await PlainListing(of: path, through: FolderService(backend)).print()
      return ExitStatus.success
    }
    return await Terminal.takeOver { await browse(path, on: $0) }
  }

  private func browse(_ path: FilePath, on terminal: Terminal) async -> Int32 {
    let browser = Browser(
      at: path, conduct: conduct, seed: options.seed, size: terminal.size, clock: ContinuousClock())
    browser.appear()
    defer { browser.disappear() }
    let redrawing = Redrawing { terminal.show(browser.frame) }

    var keys = KeyParser()
    for await event in terminal.events {
      switch event {
      case .input(let bytes):
        for input in keys.keys(from: bytes).compactMap(BrowserInput.init) {
          switch input {
          case .command(let command): browser.perform(command)
          case .quit: return ExitStatus.success
          case .interrupt: return ExitStatus.interrupt
          }
        }
      case .resize:
        browser.resize(to: terminal.size)
        terminal.invalidate()
        redrawing.drawNow()
      case .stop(let signal): return ExitStatus.signal(signal)
      case .hangUp: return ExitStatus.hangUp
      }
    }
    return ExitStatus.success
  }
}
#endif
