// SPDX-License-Identifier: MIT
import Foundation

/// An error for people.
struct Offline: LocalizedError {
  var errorDescription: String? { "You are offline." }
}
