// SPDX-License-Identifier: MIT
@testable import AsyncStateTesting

@testable import AsyncState

/// A failure that belongs to an account, as one whose text says what was requested.
struct AccountFailure: Error, CustomStringConvertible {
  let description: String
}

/// A server with accounts. What it answers begins with the name of the account that was logged in at the request.
@ModelActor
final class AccountServer {
  final class Request {
    let account: String
    let name: String
    fileprivate let answer = Promise<Result<String, any Error>>()

    fileprivate init(_ name: String, of account: String) {
      (self.name, self.account) = (name, account)
    }
  }

  /// Who is logged in; nil: no one.
  var account: String?
  private(set) var requests: [Request] = []
  private(set) var faults: [String] = []
  /// Everything is answered at once.
  var isPrompt = false
  private var count = 0
  /// Who has sent an idempotency key.
  private var payers: [String: String] = [:]

  /// Requests something of the account that is logged in.
  func get(_ name: String) async throws -> String {
    guard let account else {
      faults.append("\(name) is requested, and no account is logged in")
      throw AccountFailure(description: "no account")
    }
    return try await answer(name, of: account)
  }

  /// Sends what a person has typed, which begins with the name of the account.
  func send(_ input: String) async throws -> String {
    guard let account, input.hasPrefix("\(account) ") else {
      faults.append("\(input) is sent for \(account ?? "no account")")
      throw AccountFailure(description: "no account")
    }
    return try await answer("answer", of: account)
  }

  /// Sends an amount, which says nothing of an account. Another one's key would be taken for another one's payment.
  func pay(_ amount: Int, _ key: String) async throws -> String {
    guard let account, payers[key, default: account] == account else {
      faults.append("\(amount) is paid for \(account ?? "no account"), as a payment of \(payers[key] ?? "no account")")
      throw AccountFailure(description: "no account")
    }
    payers[key] = account
    return try await answer("answer", of: account)
  }

  private func answer(_ name: String, of account: String) async throws -> String {
    count += 1
    let request = Request(name, of: account)
    if isPrompt { return text(for: request) }
    requests.append(request)
    return try await ModelActor.stay { await request.answer.wait() }.get()
  }

  private func text(for request: Request) -> String { "\(request.account) \(request.name) \(count)" }

  /// Ends one of the requests that are on their way.
  func end(_ place: Int, isFailure: Bool) {
    guard !requests.isEmpty else { return }
    let request = requests.remove(at: place % requests.count)
    let text = text(for: request)
    request.answer.keep(isFailure ? .failure(AccountFailure(description: text)) : .success(text))
  }
}
