// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

@testable import Newcomer

private struct GatedMail: MailService {
  let gate = ManualServer<[String]>()
  func mails(in folder: String) async throws -> [String] { try await gate.wait(for: folder) }
}

@Suite("The mail", .timeLimit(.minutes(5)))
@MainActor
struct MailTests {
  private let clock = ManualClock()
  private let service = GatedMail()

  private func makeMail() async throws -> (mail: Mail, inbox: AsyncResource<[String]>) {
    let mail = Mail(service: service, clock: clock)
    let inbox = mail.folders["inbox"]
    service.gate.answer(for: "inbox", with: .success(["one"]))
    #expect(try await inbox.get() == ["one"])
    return (mail, inbox)
  }

  @Test("a short absence requests nothing", .repeated(noticing: .everyReturnRequests))
  func short() async throws {
    let (mail, inbox) = try await makeMail()
    mail.didEnterBackground()
    await clock.advance(by: .seconds(5))
    mail.willEnterForeground()
    #expect(!inbox.isRunning)
    inbox.cancel()
  }

  @Test("after a long one what is held is requested again, and stays meanwhile", .repeated(noticing: .boardIsNotBound))
  func long() async throws {
    let (mail, inbox) = try await makeMail()
    mail.didEnterBackground()
    await clock.advance(by: .seconds(60))
    #expect(!inbox.isRunning)
    mail.willEnterForeground()
    #expect(inbox.isRunning)
    #expect(inbox.value == ["one"])
    inbox.cancel()
  }

  @Test("a push in the background is requested when the app returns", .repeated(noticing: .boardIsNotBound))
  func push() async throws {
    let (mail, inbox) = try await makeMail()
    mail.didEnterBackground()
    mail.didReceivePush()
    #expect(!inbox.isRunning)
    mail.willEnterForeground()
    #expect(inbox.isRunning)
    inbox.cancel()
  }
}
