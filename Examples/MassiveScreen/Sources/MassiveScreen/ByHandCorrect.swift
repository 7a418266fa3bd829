// SPDX-License-Identifier: MIT
import Observation

@MainActor @Observable
final class CorrectScreen: ProductsScreen {
  private(set) var content = Content.blank
  private(set) var banner: String?
  private(set) var isRefreshing = false
  private(set) var footer = Footer.none

  private let service: any ShopService
  private let time: Time
  private var text = ""
  /// The products as the server has confirmed them.
  @ObservationIgnored private var confirmed: [Product] = []
  @ObservationIgnored private var hasAnswer = false
  @ObservationIgnored private var failure: String?
  @ObservationIgnored private var next: Int?
  @ObservationIgnored private var searching: Task<Void, Never>?
  @ObservationIgnored private var requesting: Task<Void, Never>?
  /// Distinguishes the current request from former ones, which may still be answered.
  @ObservationIgnored private var requestNumber = 0
  @ObservationIgnored private var paging: Task<Void, Never>?
  @ObservationIgnored private var indicating: Task<Void, Never>?
  /// The indicator was displayed a moment ago, and the result has to wait.
  @ObservationIgnored private var isIndicatorHeld = false
  /// Changes that are displayed and not decided.
  @ObservationIgnored private var pending: [Change] = []
  /// Changes that were confirmed since the current request began: its answer may not have them.
  @ObservationIgnored private var confirmedSinceRequest: [Change] = []
  @ObservationIgnored private var commits: [Int: Task<Void, Never>] = [:]
  @ObservationIgnored private var changeCount = 0

  private struct Change {
    let number: Int
    let product: Int
    let isFavourite: Bool

    func apply(to products: inout [Product]) {
      guard let index = products.firstIndex(where: { $0.id == product }) else { return }
      products[index].isFavourite = isFavourite
    }
  }

  init(service: any ShopService, time: Time) {
    self.service = service
    self.time = time
  }

  deinit {
    for task in [searching, requesting, paging, indicating] { task?.cancel() }
    for task in commits.values { task.cancel() }
  }

  // MARK: Requests

  func viewDidLoad() {
    request(isReload: true)
  }

  func search(_ text: String) {
    guard text != self.text else { return }
    self.text = text
    cancelRequests()
    searching = Task { [weak self, time] in
      try? await time.sleep(.milliseconds(300))
      guard !Task.isCancelled else { return }
      self?.request(isReload: self?.hasAnswer != true)
    }
  }

  func pullToRefresh() {
    searching?.cancel()
    guard requesting == nil else { return }
    request(isReload: !hasAnswer)
  }

  func retry() {
    cancelRequests()
    hasAnswer = false
    failure = nil
    request(isReload: true)
  }

  private func cancelRequests() {
    searching?.cancel()
    requesting?.cancel()
    requesting = nil
    requestNumber += 1
    paging?.cancel()
    paging = nil
    footer = .none
    isRefreshing = false
    if !isIndicatorHeld { indicating?.cancel() }
  }

  private func request(isReload: Bool) {
    cancelRequests()
    let number = requestNumber
    confirmedSinceRequest = []
    if isReload { startIndicator() } else { isRefreshing = true }
    requesting = Task { [weak self, service, text] in
      let result: Result<Page, any Error>
      do {
        result = .success(try await service.page(matching: text, from: nil))
      } catch {
        result = .failure(error)
      }
      self?.requestDidEnd(number, result)
    }
  }

  private func requestDidEnd(_ number: Int, _ result: Result<Page, any Error>) {
    guard number == requestNumber else { return }
    requesting = nil
    isRefreshing = false
    switch result {
    case .success(let page):
      confirmed = page.products
      for change in confirmedSinceRequest { change.apply(to: &confirmed) }
      next = page.next
      hasAnswer = true
      failure = nil
      banner = nil
    case .failure(let error):
      failure = "\(error)"
      if hasAnswer { banner = failure }
    }
    display()
  }

  // MARK: Pages

  func willDisplay(row: Int) {
    guard let cursor = next, row >= confirmed.count - 3, paging == nil, requesting == nil else { return }
    let number = requestNumber
    footer = .loading
    paging = Task { [weak self, service, text] in
      let result: Result<Page, any Error>
      do {
        result = .success(try await service.page(matching: text, from: cursor))
      } catch {
        result = .failure(error)
      }
      self?.pageDidEnd(number, result)
    }
  }

  private func pageDidEnd(_ number: Int, _ result: Result<Page, any Error>) {
    guard number == requestNumber else { return }
    paging = nil
    switch result {
    case .success(let page):
      confirmed += page.products
      next = page.next
      footer = .none
    case .failure(let error):
      footer = .error("\(error)")
    }
    display()
  }

  // MARK: Favourites

  func toggleFavourite(_ product: Int) {
    guard let current = visibleProducts.first(where: { $0.id == product }) else { return }
    changeCount += 1
    let change = Change(number: changeCount, product: product, isFavourite: !current.isFavourite)
    pending.append(change)
    display()
    // The server must get the changes of one product in order.
    let former = commits[product]
    commits[product] = Task { [weak self, service] in
      await former?.value
      guard !Task.isCancelled else { return }
      do {
        try await service.setFavourite(change.isFavourite, product: product)
        self?.changeDidEnd(change, failure: nil)
      } catch {
        self?.changeDidEnd(change, failure: "\(error)")
      }
    }
  }

  private func changeDidEnd(_ change: Change, failure: String?) {
    pending.removeAll { $0.number == change.number }
    if let failure {
      banner = failure
    } else {
      change.apply(to: &confirmed)
      confirmedSinceRequest.append(change)
    }
    display()
  }

  private var visibleProducts: [Product] {
    var products = confirmed
    for change in pending { change.apply(to: &products) }
    return products
  }

  // MARK: Display

  /// Displays the indicator after 200 ms, and then for 500 ms at least.
  private func startIndicator() {
    guard !isIndicatorHeld else { return }
    indicating = Task { [weak self, time] in
      try? await time.sleep(.milliseconds(200))
      guard !Task.isCancelled else { return }
      self?.content = .loading
      self?.isIndicatorHeld = true
      try? await time.sleep(.milliseconds(500))
      guard !Task.isCancelled else { return }
      self?.isIndicatorHeld = false
      self?.display()
    }
  }

  private func display() {
    // While the first request runs, the indicator decides; while it is held, the result waits.
    guard !isIndicatorHeld, hasAnswer || failure != nil else { return }
    if !hasAnswer && requesting != nil { return }
    indicating?.cancel()
    let products = visibleProducts
    if !hasAnswer, let failure {
      content = .message(failure, canRetry: true)
    } else {
      content = products.isEmpty ? .message("No products", canRetry: false) : .products(products)
    }
  }

  func makeCell() -> any ProductCell { CorrectCell(service: service) }
}

@MainActor @Observable
final class CorrectCell: ProductCell {
  private(set) var name = ""
  private(set) var price = ""
  private let service: any ShopService
  @ObservationIgnored private var product: Product?
  @ObservationIgnored private var loading: Task<Void, Never>?
  @ObservationIgnored private var loadNumber = 0
  @ObservationIgnored private var isLoaded = false

  init(service: any ShopService) { self.service = service }

  deinit { loading?.cancel() }

  func configure(with product: Product) {
    prepareForReuse()
    self.product = product
    name = product.name
    price = "…"
  }

  func willDisplay() {
    guard let product, !isLoaded, loading == nil else { return }
    price = "…"
    let number = loadNumber
    loading = Task { [weak self, service] in
      do {
        let price = try await service.price(of: product.id)
        self?.loadDidEnd(number, price, isLoaded: true)
      } catch {
        self?.loadDidEnd(number, "–", isLoaded: false)
      }
    }
  }

  private func loadDidEnd(_ number: Int, _ price: String, isLoaded: Bool) {
    guard number == loadNumber else { return }
    loading = nil
    self.isLoaded = isLoaded
    self.price = price
  }

  func didEndDisplaying() {
    loading?.cancel()
    loading = nil
    loadNumber += 1
  }

  func prepareForReuse() {
    didEndDisplaying()
    product = nil
    isLoaded = false
    name = ""
    price = ""
  }
}
