// SPDX-License-Identifier: MIT
/// What holds of every indicator that is paced: law 6.6, without any model of a pacer.
struct PacerLaws {
  let setup: PacerSetup
  private var wantedSince: Int?
  private var shownSince: Int?

  init(_ setup: PacerSetup) {
    self.setup = setup
  }

  /// - Parameters:
  ///   - status: The meaning of the data by now; nil before the first request.
  ///   - isCancel: Whether a load has just been given up.
  /// - Returns: What does not hold.
  mutating func hear(
    _ shown: [PacerModel.Shown], status: PacerModel.Status?, isCancel: Bool, at now: Int
  ) -> String? {
    // A first loading may be wanted and shown in one call.
    if status == .loading, wantedSince == nil { wantedSince = now }
    for one in shown {
      if one.status == .loading, shownSince == nil {
        guard now - (wantedSince ?? now) >= setup.delay else { return "6.6 an indicator before its delay" }
        shownSince = now
      } else if one.status != .loading, let since = shownSince {
        guard isCancel || one.status == .idle || now - since >= setup.minimum else {
          return "6.6 an indicator that disappears before its minimum"
        }
        shownSince = nil
      }
    }
    if status != .loading { wantedSince = nil }
    return nil
  }
}
