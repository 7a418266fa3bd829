// SPDX-License-Identifier: MIT
// What the three versions have in common: the server, what the user does, and what is displayed.

struct Product: Identifiable, Equatable, Sendable {
  var id: Int
  var name: String
  var isFavourite = false
}

struct Page: Sendable {
  var products: [Product]
  var next: Int?
}

@MainActor
protocol ShopService: AnyObject, Sendable {
  /// The products whose names have the text; nil is the first page.
  func page(matching text: String, from cursor: Int?) async throws -> Page
  func price(of product: Int) async throws -> String
  func setFavourite(_ isFavourite: Bool, product: Int) async throws
}

/// Time, which a test moves by hand.
@MainActor
struct Time {
  var clock: any Clock<Duration>
  /// Sleeps, and resumes on the main actor.
  var sleep: @MainActor (Duration) async throws -> Void
}

/// What the middle of the screen displays.
enum Content: Equatable {
  case blank
  case loading
  case message(String, canRetry: Bool)
  case products([Product])
}

/// What is displayed below the last row.
enum Footer: Equatable {
  case none
  case loading
  case error(String)
}

/// A list of products with a search field. Each requirement has a test.
@MainActor
protocol ProductsScreen: AnyObject {
  var content: Content { get }
  /// An error beside the list.
  var banner: String? { get }
  var isRefreshing: Bool { get }
  var footer: Footer { get }

  init(service: any ShopService, time: Time)

  func viewDidLoad()
  /// The text has changed: requested when it has not changed for 300 ms; the former list stays until then.
  func search(_ text: String)
  func pullToRefresh()
  func retry()
  func willDisplay(row: Int)
  func didEndDisplaying(row: Int)
  /// Displayed at once, and taken back if the server refuses.
  func toggleFavourite(_ product: Int)
  func makeCell() -> any ProductCell
}

extension ProductsScreen {
  func didEndDisplaying(row: Int) {}
}

/// A cell, which is reused, and loads the price of its product while it is visible.
@MainActor
protocol ProductCell: AnyObject {
  var name: String { get }
  var price: String { get }

  func configure(with product: Product)
  func willDisplay()
  func didEndDisplaying()
  func prepareForReuse()
}
