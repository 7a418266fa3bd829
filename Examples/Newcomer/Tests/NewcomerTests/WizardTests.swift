// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

@testable import Newcomer

@Suite("The wizard", .timeLimit(.minutes(5)))
@MainActor
struct WizardTests {
  private let clock = ManualClock()

  private func makeWizard() -> Wizard {
    let wizard = Wizard(animator: ClockAnimator(clock: clock))
    wizard.container.appear(animated: false)
    return wizard
  }

  /// Lets an animation end.
  private func finish() async { await clock.advance(by: .milliseconds(350)) }

  @Test("it has four steps, and neither a step before the first nor one after the last", .repeated())
  func steps() async {
    let wizard = makeWizard()
    wizard.back()
    #expect(wizard.page?.step == .welcome)
    for step in [Step.account, .payment, .done, .done] {
      wizard.next()
      await finish()
      #expect(wizard.page?.step == step)
      #expect(wizard.page?.isVisible == true)
      #expect(wizard.container.children.count == 1)
    }
    wizard.back()
    await finish()
    #expect(wizard.page?.step == .payment)
  }

  @Test("covered at its third step it is at its third step again", .repeated(noticing: .wizardStartsAgain))
  func covered() async {
    let wizard = makeWizard()
    for _ in 1...2 {
      wizard.next()
      await finish()
    }
    wizard.container.disappear(animated: true)
    #expect(wizard.page?.isVisible == false)
    wizard.container.appear(animated: true)
    #expect(wizard.page?.step == .payment)
    #expect(wizard.page?.isVisible == true)
  }

  @Test("covered while a step appears it is at that step afterwards", .repeated(noticing: .wizardStartsAgain))
  func coveredDuringAnimation() async {
    let wizard = makeWizard()
    wizard.next()
    await clock.advance(by: .milliseconds(100))
    wizard.container.disappear(animated: true)
    wizard.container.appear(animated: true)
    #expect(wizard.page?.step == .account)
    #expect(wizard.page?.isVisible == true)
    #expect(clock.sleeperCount == 0)
  }

  @Test("what was typed is there when the user returns", .repeated(noticing: .pagesAreNotKept))
  func input() async {
    let wizard = makeWizard()
    wizard.page?.input = "Ann"
    wizard.next()
    await finish()
    wizard.back()
    await finish()
    #expect(wizard.page?.input == "Ann")
  }
}
