// SPDX-License-Identifier: MIT
import AsyncState
import Testing

extension AllTests {
  @MainActor
  struct FamilyReentryTests {
    enum Callback: CaseIterable {
      case tags, peek, read, write, remove, removeAll, operation, observer, delegate, tracking, patch, predicate, clock
      case release
    }

    enum Method: CaseIterable {
      case access, existing, hold, drop, dropAll, prefetch, restore, entries, invalidateWhere, refreshStale, forget
      case forgetAll, trim, trimAll, invalidateAll, invalidateOne, close, open, closeAndOpen, write, reset, cancel,
        start
      case startStale, begin, mutate, observe, dropFamily

      /// True if it changes no data before it returns.
      var onlyReads: Bool {
        switch self {
        case .access, .existing, .hold, .drop, .dropAll, .entries, .forget, .forgetAll, .mutate, .observe, .dropFamily:
          true
        case .prefetch, .restore, .invalidateWhere, .refreshStale, .trim, .trimAll, .invalidateAll, .invalidateOne,
          .close, .open, .closeAndOpen, .write, .reset, .cancel, .start, .startStale, .begin:
          false
        }
      }
    }

    @Test(
      "1.9, 10.1, 12.3 no crash, one resource a key, and at rest the store has what is confirmed",
      arguments: Callback.allCases)
    func table(_ callback: Callback) async {
      let plain = FamilyRig(.nothing)
      await plain.run()
      let counts = plain.reentry.counts
      await plain.expectAllIsWell("nothing called inside")
      for entry in reentryCases(callback, Method.self, counts: counts) {
        announce("\(entry)")
        let rig = FamilyRig(.once(entry))
        await rig.run()
        #expect(rig.reentry.hasFired, "\(entry)")
        await rig.expectAllIsWell("\(entry)")
      }
    }

    @Test("1.4, 1.9 any methods inside any callbacks")
    func anything() async {
      for seed in reentrySeeds {
        announce("seed \(seed)")
        let rig = FamilyRig(.random(seed: seed))
        await rig.run()
        await rig.expectAllIsWell("seed \(seed)")
      }
    }
  }
}
