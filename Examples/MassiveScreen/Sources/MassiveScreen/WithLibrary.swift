// SPDX-License-Identifier: MIT
import AsyncStateLists
import AsyncState

@MainActor
final class LibraryScreen: ProductsScreen {
  private let service: any ShopService
  private let text = Input<String?>("")
  private let products: AsyncResource<Paged<Product, Int>>
  private let paced: PacedStatus<Paged<Product, Int>>
  private let favour: AsyncMutation<Favour, Void>

  init(service: any ShopService, time: Time) {
    self.service = service
    products = AsyncResource(
      following: text, delay: .milliseconds(300), previous: .untilAnswered, options: LoadOptions(clock: time.clock)
    ) { text in .pages { page in try await service.page(matching: text, from: page.cursor).paged } }
    favour = AsyncMutation(lane: { $0.product }) { try await service.setFavourite($0.isFavourite, product: $0.product) }
      .changing({ [products] _ in products }) { $0[id: $1.product]?.isFavourite = $1.isFavourite }
    let policy = DisplayPolicy<Paged<Product, Int>>(errors: .never) { $0.items.isEmpty }
    paced = PacedStatus(products, policy: policy, pacer: DisplayPacer(clock: time.clock))
  }

  var content: Content {
    switch paced.status {
    case nil: .blank
    case .loading: .loading
    case .error(let error): .message("\(error)", canRetry: true)
    case .noData: .message("No products", canRetry: false)
    case .idle: .message("Not loaded", canRetry: true)
    case .waiting: .message("Waiting for a connection", canRetry: false)
    case .data(let pages): .products(pages.items)
    }
  }

  var banner: String? { products.value.flatMap { _ in products.error ?? favour.error }.map { "\($0)" } }

  var isRefreshing: Bool { products.isRunning && products.value != nil }

  var footer: Footer {
    let page = products.nextPage
    return page.isRunning ? .loading : page.error.map { .error("\($0)") } ?? .none
  }

  func viewDidLoad() { products.start() }
  func search(_ text: String) { self.text.write(text) }
  func pullToRefresh() {
    favour.clear()
    products.refresh()
  }
  func retry() { products.reload() }

  func willDisplay(row: Int) { products.willDisplay(row: row) }
  func didEndDisplaying(row: Int) { products.didEndDisplaying(row: row) }

  func toggleFavourite(_ product: Int) {
    guard let isFavourite = products.value?[id: product]?.isFavourite else { return }
    favour.perform(Favour(product: product, isFavourite: !isFavourite))
  }

  func makeCell() -> any ProductCell {
    CellHost(cancelsLoadWhenHidden: true) { [service] in LoadingRow { try await service.price(of: $0.id) } }
  }
}

private struct Favour: Hashable, Sendable {
  let product: Int
  let isFavourite: Bool
}

extension Page {
  fileprivate var paged: Paged<Product, Int>.Page { .init(items: products, next: next) }
}

extension CellHost: @MainActor ProductCell where Controller == LoadingRow<Product, String> {
  var name: String { controller?.model?.name ?? "" }

  var price: String {
    guard let row = controller, row.model != nil else { return "" }
    switch row.resource.status {
    case .loading, .noData, .idle, .waiting: return "…"
    case .error: return "–"
    case .data(let price): return price
    }
  }

  func configure(with product: Product) { configure(with: product, isolation: MainActor.shared) }
}
