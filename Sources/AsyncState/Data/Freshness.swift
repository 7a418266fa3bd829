/// When facts grow stale by age. No timer runs for it: whoever asks compares with the clock.
@usableFromInline
struct Freshness {
  /// How long a success stays fresh; nil: for ever.
  private let staleAfter: Duration?
  let timeline: Timeline

  /// When the last success will be stale. Nil while there has been none, or for ever.
  private var deadline: Duration?

  @usableFromInline
  init(staleAfter: Duration?, clock: any Clock<Duration>) {
    self.staleAfter = staleAfter
    timeline = Timeline(clock)
  }

  /// At exactly the deadline it is.
  var isExpired: Bool { deadline.map { timeline.now >= $0 } ?? false }

  /// An answer has come just now.
  @usableFromInline
  mutating func renew() {
    deadline = staleAfter.map { timeline.now + $0.bounded }
  }
}
