// SPDX-License-Identifier: MIT
// Settings: a switch that changes at once, and returns if the server refuses.

import AsyncState
import AsyncStateUI
import UIKit

@MainActor
func makeSettingsScreen(model: AppModel) -> AsyncViewController<Settings> {
  AsyncViewController(model.ownSettings, policy: DisplayPolicy(errors: .never)) { SettingsViewController(model: model) }
}

final class SettingsViewController: UIViewController, @MainActor AsyncContent {
  private let model: AppModel
  private var settings: Settings?
  let button = UIButton(configuration: .bordered(), primaryAction: nil)

  init(model: AppModel) {
    self.model = model
    super.init(nibName: nil, bundle: nil)
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    view.addSubview(button)
    let tap = UIAction { [weak self] _ in
      guard let self, let settings else { return }
      Task { [model] in await model.setSendsNews(!settings.sendsNews) }
    }
    button.addAction(tap, for: .primaryActionTriggered)
  }

  func apply(_ settings: Settings, animated: Bool) {
    self.settings = settings
    button.configuration?.title = settings.sendsNews ? "News: on" : "News: off"
  }
}
