// SPDX-License-Identifier: MIT
import UIKit
import Testing

extension StandInTests {
  @MainActor
  @Suite(.serialized)
  struct FreshnessTests {
    @Test("15.7 what has become stale is requested once when the app is in the foreground and online again")
    func returning() async {
      await expectOneRequestOnReturn { isForeground in
        NotificationCenter.default.post(
          name: isForeground
            ? UIApplication.willEnterForegroundNotification : UIApplication.didEnterBackgroundNotification,
          object: nil)
      }
    }
  }
}
