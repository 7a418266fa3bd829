// SPDX-License-Identifier: MIT
// The sample of the README, about several processes.
import AsyncState
import PostgresStores

extension SharedTag {
  static func price(_ product: Int) -> SharedTag { SharedTag("price", "\(product)") }
}

actor Prices {
  private let database: PostgresDatabase
  private let bridge: TagBridge
  private let store: PostgresStore<Int, Double>
  private let board = AsyncTagBoard()
  private lazy var prices = makePrices()

  init(_ configuration: String) {
    database = PostgresDatabase(configuration)
    bridge = TagBridge(database)
    store = PostgresStore(database, family: "prices") { [.price($0)] }
  }

  private func makePrices() -> AsyncFamily<Int, Double> {
    AsyncFamily(
      isolation: self, options: LoadOptions(timeout: .seconds(5)), board: board,
      tags: { product, _ in TagBridge.tags([.price(product)]) }
    ) { product in
      .value { [self] in
        try await store.sharing(product, notOlderThan: .seconds(3_600)) { try await compute(product) }
      }
    }
  }

  /// Runs as long as the process does.
  func run() async throws {
    try await StoreTables.prepare(database)
    await bridge.run(board)
  }

  func price(of product: Int) async throws -> Double { try await prices[product].get() }

  func setDiscount(_ percent: Int, of product: Int) async throws {
    try await bridge.change(
      [.price(product)],
      [Statement("UPDATE product SET discount = $2::integer WHERE id = $1::integer", "\(product)", "\(percent)")])
  }

  /// What a cache spares.
  private func compute(_ product: Int) async throws -> Double? {
    let rows = try await database.rows(
      Statement("SELECT list_price * (100 - discount) / 100 FROM product WHERE id = $1::integer", "\(product)"))
    return rows.first?[0].flatMap(Double.init)
  }
}
