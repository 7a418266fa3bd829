// SPDX-License-Identifier: MIT
// A form: one request for a double tap, the button is off meanwhile, and an error keeps what was typed.

import AsyncState
import AsyncStateUI
import UIKit

final class SignUpViewController: UIViewController {
  private let signUp: AsyncMutation<String, String>
  let name = UITextField()
  let button = UIButton(configuration: .bordered(), primaryAction: nil)
  let message = UILabel()
  private var following: ObservedToken?

  init(signUp: AsyncMutation<String, String>) {
    self.signUp = signUp
    super.init(nibName: nil, bundle: nil)
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    let form = UIStackView(arrangedSubviews: [name, button, message])
    form.axis = .vertical
    form.frame = view.bounds
    form.autoresizingMask = [.flexibleWidth]
    view.addSubview(form)
    let tap = UIAction { [weak self] _ in
      guard let self else { return }
      signUp.perform(name.text ?? "")
    }
    button.addAction(tap, for: .primaryActionTriggered)
    following = signUp.observed.observe { [weak self] _ in self?.display() }
  }

  private func display() {
    button.isEnabled = true
    button.configuration?.title = "Sign up"
    switch signUp.status {
    case .idle: message.text = nil
    case .delayed, .queued, .waitingForNetwork, .sending, .retrying:
      button.isEnabled = false
      button.configuration?.title = "Signing up"
      message.text = nil
    case .succeeded(let greeting): message.text = greeting
    case .failed(let error, _): message.text = AsyncText.describing(error).string
    }
  }
}
