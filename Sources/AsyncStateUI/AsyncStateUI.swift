// SPDX-License-Identifier: MIT
// The adapters of AsyncState for UIKit, AppKit and SwiftUI.
//
// They are type-checked and tested against stand-ins written from Apple's documentation (Tests/Platforms/); they have not run on
// Apple's frameworks yet. Each file is compiled where its framework is. Where there is none, as on Linux, this module is
// empty.
