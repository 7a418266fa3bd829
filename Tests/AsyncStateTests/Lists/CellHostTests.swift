import AsyncState
import Testing

@Suite("8.2 CellHost")
struct CellHostTests {
  final class Cell: TracedChild, ReusableController {
    func configure(with model: String) { trace("configure(\(model))") }
    func prepareForReuse() { trace("prepare") }
  }

  let trace = Trace()

  private func host(_ made: @escaping () -> Void = {}) -> CellHost<Cell> {
    CellHost { [trace] in
      made()
      return Cell("c", trace)
    }
  }

  @Test("8.2 the controller is made once, at the first model")
  func madeOnce() {
    var made = 0
    let host = host { made += 1 }
    #expect(host.controller == nil)
    #expect(made == 0)
    host.configure(with: "a")
    let controller = host.controller
    host.prepareForReuse()
    host.configure(with: "b")
    #expect(made == 1)
    #expect(host.controller === controller)
    #expect(trace.take() == "configure(a) prepare configure(b)")
  }

  @Test("8.2 displays give balanced pairs, however they repeat or skip")
  func pairs() {
    let host = host()
    host.configure(with: "a")
    host.didEndDisplaying()
    host.willDisplay()
    host.willDisplay(animated: true)
    host.didEndDisplaying(animated: true)
    host.didEndDisplaying()
    #expect(trace.take() == "configure(a) c.wa c.da c.wd c.dd")
    #expect(host.controller?.takeFlags() == "fftt")
  }

  @Test("8.2 preparing for reuse ends a display that is still on, and tells the controller once")
  func prepare() {
    let host = host()
    host.configure(with: "a")
    host.willDisplay(animated: true)
    host.prepareForReuse()
    #expect(trace.take() == "configure(a) c.wa c.da c.wd c.dd prepare")
    #expect(host.controller?.takeFlags() == "ttff")
    host.didEndDisplaying()
    #expect(trace.take() == "")
    host.configure(with: "b")
    host.willDisplay()
    host.didEndDisplaying()
    #expect(trace.take() == "configure(b) c.wa c.da c.wd c.dd")
    #expect(host.controller?.takeFlags() == "ffff")
  }

  @Test("8.2 before the first model nothing happens")
  func beforeTheFirst() {
    let host = host()
    host.willDisplay()
    host.didEndDisplaying()
    host.prepareForReuse()
    #expect(host.controller == nil)
    #expect(trace.take() == "")
  }

  @Test("8.2 a host that goes ends the display")
  func hostGoes() {
    var host: CellHost<Cell>? = host()
    host?.configure(with: "a")
    let controller = host?.controller
    host?.willDisplay(animated: true)
    // An optimised build lets go of the host as soon as nobody names it any more.
    withExtendedLifetime(host) { _ = trace.take() }
    host = nil
    #expect(trace.take() == "c.wd c.dd")
    #expect(controller?.takeFlags() == "ttff")
  }
}
