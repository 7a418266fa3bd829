// SPDX-License-Identifier: MIT
#if canImport(SwiftUI) || canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import Accessibility
  import AsyncState
  import Foundation

  /// What VoiceOver reads without a touch.
  struct Announcement: Equatable {
    let text: String
    /// The failure that it is of. Another one is read again, though its text is the same.
    var failure: FailureID?
    /// Whether new speech may interrupt it. What was displayed before may have had the focus, which moves then, and VoiceOver
    /// reads the element that gets it: a result would be cut off.
    var isInterruptible = false

    @MainActor
    func post() {
      var speech = AttributedString(text)
      speech.accessibilitySpeechAnnouncementPriority = isInterruptible ? .default : .high
      AccessibilityNotification.Announcement(speech).post()
    }
  }

  /// Reads what is displayed in one place: a text once, until another one is displayed there, or another failure.
  @MainActor
  final class Announcer {
    private var last: Announcement?

    nonisolated init() {}

    func announce(_ next: Announcement) {
      if next != last { next.post() }
      last = next
    }

    /// Where there is content, and no failure beside it, what is displayed afterwards is news.
    func note(_ kind: AsyncStatusKind?, _ error: (any Error)?) {
      if kind == .data, error == nil { last = nil }
    }
  }

  /// Which failure an error is of.
  struct FailureID: Hashable {
    var source: ObjectIdentifier?
    var number: UInt32
  }
#endif
