// SPDX-License-Identifier: MIT
import AsyncStateLists
import AsyncState

@MainActor
final class LibraryScreen: ProductsScreen {
  private let service: any ShopService
  private let text = Input<String?>("")
  private let products: AsyncResource<Paged<Product, Int>>
  private let paced: PacedStatus<Paged<Product, Int>>
  private let refusal = AsyncData<Never>()

  init(service: any ShopService, time: Time) {
    self.service = service
    products = AsyncResource(
      following: text, delay: .milliseconds(300), keepsFormer: true, options: LoadOptions(clock: time.clock),
      pages: { text, cursor in try await service.page(matching: text, from: cursor).paged })
    let policy = DisplayPolicy<Paged<Product, Int>>(errors: .never) { $0.items.isEmpty }
    paced = PacedStatus(products, policy: policy, pacer: DisplayPacer(clock: time.clock))
  }

  var content: Content {
    switch paced.status {
    case nil: .blank
    case .loading: .loading
    case .error(let error): .message("\(error)", canRetry: true)
    case .noData: .message("No products", canRetry: false)
    case .data(let pages): .products(pages.items)
    }
  }

  var banner: String? {
    let error = products.value == nil ? nil : products.error
    return (error ?? refusal.error).map { "\($0)" }
  }

  var isRefreshing: Bool { products.isRunning && products.value != nil }

  var footer: Footer {
    let page = products.nextPage
    return page.isRunning ? .loading : page.error.map { .error("\($0)") } ?? .none
  }

  func viewDidLoad() { products.start() }
  func search(_ text: String) { self.text.write(text) }
  func pullToRefresh() {
    refusal.error = nil
    products.refresh()
  }
  func retry() { products.reload() }

  func willDisplay(row: Int) {
    guard products.value?.wantsNextPage(displaying: row) == true else { return }
    Task { [products] in await products.loadNext() }
  }

  func toggleFavourite(_ product: Int) {
    guard let isFavourite = products.value?.items.first(where: { $0.id == product })?.isFavourite else { return }
    Task { [products, service, refusal] in
      let outcome = await products.mutate(lane: LoadID(product)) { pages in
        guard let index = pages.items.firstIndex(where: { $0.id == product }) else { return }
        pages[index].isFavourite = !isFavourite
      } commit: {
        try await service.setFavourite(!isFavourite, product: product)
      }
      if case .failure(let error) = outcome { refusal.error = error }
    }
  }

  func makeCell() -> any ProductCell { LibraryCell(service: service) }
}

extension Page {
  fileprivate var paged: Paged<Product, Int>.Page { .init(items: products, next: next) }
}

@MainActor
final class LibraryCell: ProductCell {
  private let host: CellHost<LoadingRow<Product, String>>

  init(service: any ShopService) {
    host = CellHost(cancelsLoadWhenHidden: true) { LoadingRow { try await service.price(of: $0.id) } }
  }

  var name: String { host.controller?.model?.name ?? "" }

  var price: String {
    guard let row = host.controller, row.model != nil else { return "" }
    switch row.resource.status() {
    case .loading, .noData: return "…"
    case .error: return "–"
    case .data(let price): return price
    }
  }

  func configure(with product: Product) { host.configure(with: product) }
  func willDisplay() { host.willDisplay(animated: false) }
  func didEndDisplaying() { host.didEndDisplaying(animated: false) }
  func prepareForReuse() { host.prepareForReuse() }
}
