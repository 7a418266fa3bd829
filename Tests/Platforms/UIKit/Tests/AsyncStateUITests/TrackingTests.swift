// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import AsyncStateUI
import Testing
import UIKit

extension StandInTests {
  /// Controllers and cells that read a resource where UIKit tracks what they read: they update by themselves.
  @MainActor
  @Suite(.serialized)
  struct TrackingTests {
    final class ArticleController: UIViewController {
      private let article: AsyncResource<String>
      let label = UILabel()
      var layouts = 0

      init(_ article: AsyncResource<String>) {
        self.article = article
        super.init(nibName: nil, bundle: nil)
      }
      required init?(coder: NSCoder) { nil }

      override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        article.start(when: .stale)
      }

      override func viewWillLayoutSubviews() {
        super.viewWillLayoutSubviews()
        layouts += 1
        label.text = article.value ?? (article.isRunning ? "…" : "-")
      }
    }

    final class TitleCell: UITableViewCell {
      var article: AsyncResource<String>?
      var updates = 0

      override func updateConfiguration(using state: UICellConfigurationState) {
        super.updateConfiguration(using: state)
        updates += 1
        var content = defaultContentConfiguration()
        content.text = (state.isSelected ? "> " : "") + (article?.value ?? "…")
        contentConfiguration = content
      }

      override func prepareForReuse() {
        super.prepareForReuse()
        article = nil
        setNeedsUpdateConfiguration()
      }
    }

    let gate = ManualServer<String?>()
    let window = UIWindow()

    init() {
      StandIn.reset()
      window.makeKeyAndVisible()
    }

    @Test("1.7 a controller that reads a resource in viewWillLayoutSubviews follows it, once for all changes of a turn")
    func controller() async {
      let article = AsyncResource { [gate] in try await gate.wait() }
      let screen = ArticleController(article)
      window.rootViewController = screen
      StandIn.nextTurn()
      #expect(screen.label.text == "…")
      await gate.arrived(1)
      gate.answer(call: 1, with: .success("Hello"))
      await article.settled()
      StandIn.nextTurn()
      #expect(screen.label.text == "Hello")
      let layouts = screen.layouts
      article.data.value = "a"
      article.data.value = "b"
      // What it has not read does not concern it: with a value it reads nothing else.
      article.invalidate()
      #expect(screen.label.text == "Hello")
      for _ in 0..<3 { StandIn.nextTurn() }
      #expect(screen.label.text == "b" && screen.layouts == layouts + 1)
      article.invalidate()
      StandIn.nextTurn()
      #expect(screen.layouts == layouts + 1)
    }

    @Test("1.7 a cell that reads a resource in updateConfiguration follows it, and another one after it is used again")
    func cell() {
      let articles = ["a", "b"].map { AsyncResource.preview(.value($0)) }
      let screen = UIViewController()
      let cell = TitleCell(style: .default, reuseIdentifier: "title")
      cell.article = articles[0]
      screen.view.addSubview(cell)
      window.rootViewController = screen
      func text() -> String? { (cell.contentConfiguration as? UIListContentConfiguration)?.text }
      StandIn.nextTurn()
      #expect(text() == "a")
      articles[0].data.value = "c"
      cell.isSelected = true
      StandIn.nextTurn()
      #expect(text() == "> c")
      cell.prepareForReuse()
      cell.article = articles[1]
      cell.isSelected = false
      StandIn.nextTurn()
      #expect(text() == "b")
      // The former row's article is of no interest any more.
      let updates = cell.updates
      articles[0].data.value = "d"
      StandIn.nextTurn()
      #expect(text() == "b" && cell.updates == updates)
    }
  }
}
