// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

@testable import MassiveScreen

/// The three versions of the screen.
enum Version: String, CaseIterable, CustomTestStringConvertible {
  case byHand = "by hand"
  case byHandCorrect = "by hand, correct"
  case withLibrary = "with the library"

  var testDescription: String { rawValue }

  @MainActor
  func screen(_ service: any ShopService, _ time: Time) -> any ProductsScreen {
    switch self {
    case .byHand: ByHandScreen(service: service, time: time)
    case .byHandCorrect: CorrectScreen(service: service, time: time)
    case .withLibrary: LibraryScreen(service: service, time: time)
    }
  }
}

/// A server that answers when a test says so.
@MainActor
final class Server: ShopService {
  let pages: ManualServer<Page>
  let prices: ManualServer<String>
  let favourites: ManualServer<Void>

  /// - Parameter isDeaf: Whether a request continues when it is cancelled.
  init(isDeaf: Bool = false) {
    pages = ManualServer(ignoresCancellation: isDeaf)
    prices = ManualServer(ignoresCancellation: isDeaf)
    favourites = ManualServer(ignoresCancellation: isDeaf)
  }

  func page(matching text: String, from cursor: Int?) async throws -> Page {
    try await counting { try await pages.wait(for: "\(text)@\(cursor ?? 0)") }
  }

  func price(of product: Int) async throws -> String {
    try await counting { try await prices.wait(for: product) }
  }

  func setFavourite(_ isFavourite: Bool, product: Int) async throws {
    try await favourites.wait(for: "\(product) \(isFavourite)")
  }

  /// How many requests were cancelled.
  private(set) var cancelCount = 0

  private func counting<Value>(_ request: @MainActor () async throws -> Value) async throws -> Value {
    do {
      return try await request()
    } catch is CancellationError {
      cancelCount += 1
      throw CancellationError()
    }
  }
}

struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// A screen under test, with what it depends on.
@MainActor
final class Scene {
  let server: Server
  let clock = ManualClock()
  private(set) var screen: (any ProductsScreen)!

  init(_ version: Version, isDeaf: Bool = false) {
    server = Server(isDeaf: isDeaf)
    let clock = clock
    let time = Time(clock: clock) { try await clock.sleepOnCaller(until: clock.now.advanced(by: $0)) }
    screen = version.screen(server, time)
  }

  /// Answers a request, and returns when the screen has received it.
  func answer<Value>(_ gate: ManualServer<Value>, _ call: Int, _ result: Result<Value, any Error>) async {
    await gate.arrived(call)
    gate.answer(call: call, with: result)
    await gate.ended(call)
    await turn()
  }

  func answer(_ call: Int, _ names: String..., next: Int? = nil) async {
    await answer(server.pages, call, .success(page(names, next: next)))
  }

  func fail(_ call: Int, _ reason: String) async {
    await answer(server.pages, call, .failure(Failure(reason)))
  }

  /// The products of a name list: the id of a product is the number of its letter.
  func page(_ names: [String], next: Int? = nil) -> Page {
    Page(products: names.map { Product(id: Int($0.utf8.first ?? 0), name: $0) }, next: next)
  }

  /// The screen with a first answer.
  func load(_ names: String..., next: Int? = nil) async {
    screen.viewDidLoad()
    await answer(server.pages, 1, .success(page(names, next: next)))
  }

  func release() { screen = nil }

  /// Every job that waits on the main actor has run.
  func turn() async {
    for _ in 0..<4 { await clock.advance(by: .zero) }
  }

  // MARK: What is displayed

  var names: [String]? {
    guard case .products(let products) = screen.content else { return nil }
    return products.map(\.name)
  }

  /// What was requested: text and cursor of each page.
  var requests: [String] { server.pages.arguments() }
  var changes: [String] { server.favourites.arguments() }
  var priceRequests: [Int] { server.prices.arguments() }

  var favourites: [String]? {
    guard case .products(let products) = screen.content else { return nil }
    return products.filter(\.isFavourite).map(\.name)
  }
}

/// Runs a test on one version. The first version fails some of them, which is known: a test that it passes by chance is an
/// error, too.
@MainActor
func check(
  _ version: Version, byHandFails: Bool = false, isDeaf: Bool = false, _ body: @MainActor (Scene) async throws -> Void
) async throws {
  let scene = Scene(version, isDeaf: isDeaf)
  guard byHandFails && version == .byHand else { return try await body(scene) }
  await withKnownIssue { try await body(scene) }
}
