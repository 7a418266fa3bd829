/// What was heard, in order, in the contract's marks; and what is to be done when a mark is made.
final class Trace {
  private(set) var marks: [String] = []
  private var hooks: [String: [() -> Void]] = [:]

  func callAsFunction(_ mark: String) {
    marks.append(mark)
    guard var waiting = hooks[mark], !waiting.isEmpty else { return }
    let hook = waiting.removeFirst()
    hooks[mark] = waiting
    hook()
  }

  /// Does `body` inside the callback that makes this mark next. Several for one mark take turns.
  func once(_ mark: String, _ body: @escaping () -> Void) {
    hooks[mark, default: []].append(body)
  }

  /// Does `body`, and waits for the callback that makes this mark next.
  func reaches(_ mark: String, isolation: isolated any Actor = #isolation, after body: () async -> Void) async {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    once(mark) { continuation.finish() }
    await body()
    for await _ in stream {}
  }

  /// What was heard since the last time.
  func take() -> String {
    defer { marks = [] }
    return marks.joined(separator: " ")
  }
}

/// The contract's letter for a flag.
func letter(_ flag: Bool) -> String { flag ? "t" : "f" }
