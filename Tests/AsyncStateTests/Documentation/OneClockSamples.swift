// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

protocol ShopService: Sendable {
  func product(_ id: Int) async throws -> String
  func basket() async throws -> [Int]
  func order(_ products: [Int]) async throws -> Int
}

private struct GatedShop: ShopService {
  let products = ManualServer<String>()
  let orders = ManualServer<Int>()

  func product(_ id: Int) async throws -> String { try await products.wait(for: id) }
  func basket() async throws -> [Int] { [7] }
  func order(_ products: [Int]) async throws -> Int { try await orders.wait() }
}

private struct NoConnection: Error {}

extension LoadOptions {
  static let shop = LoadOptions(
    staleAfter: .seconds(60), retry: .exponential(first: .seconds(1)), timeout: .seconds(10))
}

@MainActor
final class Shop {
  let products: AsyncFamily<Int, String>
  let basket: AsyncResource<[Int]>
  let order: AsyncMutation<[Int], Int>

  init(service: any ShopService, options: LoadOptions = .shop) {
    products = AsyncFamily(options: options) { id in try await service.product(id) }
    basket = AsyncResource(options: options) { try await service.basket() }
    order = AsyncMutation(options: options) { products in try await service.order(products) }
  }
}

extension AllTests {
  struct OneClockSampleTests {
    @Test("a product is requested again when it is a minute old, and once more after a failure")
    @MainActor
    func minute() async throws {
      let service = GatedShop()
      let clock = ManualClock()
      var options = LoadOptions.shop
      options.clock = clock
      let shop = Shop(service: service, options: options)

      service.products.answer(call: 1, with: .success("Tea"))
      #expect(try await shop.products[7].get() == "Tea")
      await clock.advance(by: .seconds(59))
      #expect(try await shop.products[7].get() == "Tea")
      #expect(service.products.callCount == 1)

      await clock.advance(by: .seconds(1))
      let request = shop.products[7].start(when: .stale)
      service.products.answer(call: 2, with: .failure(NoConnection()))
      await clock.sleepers(atLeast: 1, dueWithin: .seconds(1))
      await clock.advance(by: .seconds(1))
      service.products.answer(call: 3, with: .success("Green tea"))
      _ = await request.outcome()
      #expect(shop.products[7].value == "Green tea")
      #expect(clock.sleeperCount == 0)
    }

    @Test("an order that hangs ends after ten seconds of the same clock")
    @MainActor
    func order() async {
      let clock = ManualClock()
      var options = LoadOptions.shop
      options.clock = clock
      let service = GatedShop()
      let shop = Shop(service: service, options: options)
      shop.order.perform([7])
      await service.orders.arrived(1)
      await clock.advance(by: .seconds(10))
      guard case .failed(let error, _) = shop.order.status else { return #expect(Bool(false)) }
      #expect(error is LoadTimeoutError)
    }
  }
}
