// SPDX-License-Identifier: MIT
// Settings: a switch that changes at once, and returns if the server refuses.

import AsyncState
import AsyncStateUI
import UIKit

@MainActor
func makeSettingsScreen(model: AppModel) -> AsyncViewController<Settings> {
  AsyncViewController(model.ownSettings, policy: DisplayPolicy(errors: .never)) {
    SettingsViewController($0, model: model)
  }
}

final class SettingsViewController: UIViewController, @MainActor AsyncContent {
  private let model: AppModel
  private var settings: Settings
  let button = UIButton(configuration: .bordered(), primaryAction: nil)

  init(_ settings: Settings, model: AppModel) {
    self.model = model
    self.settings = settings
    super.init(nibName: nil, bundle: nil)
    apply(settings, animated: false)
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    view.addSubview(button)
    let tap = UIAction { [weak self] _ in
      guard let self else { return }
      Task { [model, settings] in await model.setSendsNews(!settings.sendsNews) }
    }
    button.addAction(tap, for: .primaryActionTriggered)
  }

  func apply(_ settings: Settings, animated: Bool) {
    self.settings = settings
    button.configuration?.title = settings.sendsNews ? "News: on" : "News: off"
  }
}
