// SPDX-License-Identifier: MIT
import Observation

@MainActor @Observable
final class ByHandScreen: ProductsScreen {
  private(set) var content = Content.blank
  private(set) var banner: String?
  private(set) var isRefreshing = false
  private(set) var footer = Footer.none

  private let service: any ShopService
  private let time: Time
  private var text = ""
  private var products: [Product] = []
  private var next: Int?
  private var searching: Task<Void, Never>?

  init(service: any ShopService, time: Time) {
    self.service = service
    self.time = time
  }

  func viewDidLoad() {
    content = .loading
    Task { await loadFirstPage() }
  }

  func search(_ text: String) {
    self.text = text
    searching?.cancel()
    searching = Task {
      try? await time.sleep(.milliseconds(300))
      guard !Task.isCancelled else { return }
      await loadFirstPage()
    }
  }

  func pullToRefresh() {
    isRefreshing = true
    Task { await loadFirstPage() }
  }

  func retry() {
    content = .loading
    Task { await loadFirstPage() }
  }

  private func loadFirstPage() async {
    do {
      let page = try await service.page(matching: text, from: nil)
      products = page.products
      next = page.next
      banner = nil
      display()
    } catch {
      if products.isEmpty {
        content = .message("\(error)", canRetry: true)
      } else {
        banner = "\(error)"
      }
    }
    isRefreshing = false
  }

  func willDisplay(row: Int) {
    guard let cursor = next, row >= products.count - 3, footer != .loading else { return }
    footer = .loading
    Task {
      do {
        let page = try await service.page(matching: text, from: cursor)
        products += page.products
        next = page.next
        footer = .none
        display()
      } catch {
        footer = .error("\(error)")
      }
    }
  }

  func toggleFavourite(_ product: Int) {
    guard let index = products.firstIndex(where: { $0.id == product }) else { return }
    let former = products
    products[index].isFavourite.toggle()
    let isFavourite = products[index].isFavourite
    display()
    Task {
      do {
        try await service.setFavourite(isFavourite, product: product)
      } catch {
        products = former
        banner = "\(error)"
        display()
      }
    }
  }

  private func display() {
    content = products.isEmpty ? .message("No products", canRetry: false) : .products(products)
  }

  func makeCell() -> any ProductCell { ByHandCell(service: service) }
}

@MainActor @Observable
final class ByHandCell: ProductCell {
  private(set) var name = ""
  private(set) var price = ""
  private let service: any ShopService
  private var loading: Task<Void, Never>?

  init(service: any ShopService) { self.service = service }

  func configure(with product: Product) {
    name = product.name
    price = "…"
    loading = Task {
      do {
        price = try await service.price(of: product.id)
      } catch {
        price = "–"
      }
    }
  }

  func willDisplay() {}
  func didEndDisplaying() {}

  func prepareForReuse() {
    loading?.cancel()
    name = ""
    price = ""
  }
}
