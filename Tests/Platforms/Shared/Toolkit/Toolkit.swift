// SPDX-License-Identifier: MIT
// The framework whose controllers the tests use that are written for both.

#if canImport(UIKit)
  @_exported import UIKit
#else
  @_exported import AppKit
#endif
