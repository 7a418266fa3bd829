// SPDX-License-Identifier: MIT
/// What a screen without the library shows.
enum PlainScreen: Equatable, Sendable {
  case loading
  case failed
  case data(Int)
  case empty
}
