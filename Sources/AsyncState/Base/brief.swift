// SPDX-License-Identifier: MIT
/// The number of items of a list, and the bounded description of anything else.
package func brief(valueOf value: Any) -> String {
  if let list = value as? any Collection, !(value is any StringProtocol) {
    return list.count == 1 ? "1 item" : "\(list.count) items"
  }
  return brief(value)
}

/// The description of something, bounded in length.
package func brief(_ subject: Any) -> String {
  let text = String(describing: subject)
  return text.count > 80 ? text.prefix(79) + "…" : text
}
