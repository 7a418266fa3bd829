// SPDX-License-Identifier: MIT
/// Whether data may deliver a change at once.
enum DeliveryTurn: UInt8 {
  case free
  /// A journal records the changes, which takes a way of its own: so the usual one need not look for a journal.
  case recorded
  /// Values are being delivered, by a caller that continues until there is none left.
  case busy
}
