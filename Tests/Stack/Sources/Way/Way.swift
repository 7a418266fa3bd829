// SPDX-License-Identifier: MIT
import AsyncState

/// The way of one value: a resource is requested, and its answer makes a child appear.
@main
@MainActor
struct Way {
  static func main() async {
    let (spinner, page) = (Spinner(), Page())
    let host = AsyncHost(AsyncResource { 1 }) { status in status.kind == .data ? [page] : [spinner] }
    host.appear(animated: false)
    _ = await host.start().outcome()
  }
}

final class Spinner: ChildController {}

final class Page: ChildController {
  // A debugger stops here.
  func didAppear(animated: Bool) {}
}
