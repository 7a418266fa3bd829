// SPDX-License-Identifier: MIT
// A page of the wizard.

import AsyncState

enum Step: Int, CaseIterable {
  case welcome, account, payment, done
}

@MainActor
final class Page: @MainActor ChildController {
  let step: Step
  var input = ""
  private(set) var isVisible = false

  init(step: Step) { self.step = step }

  func didAppear(animated: Bool) { isVisible = true }
  func didDisappear(animated: Bool) { isVisible = false }
}
