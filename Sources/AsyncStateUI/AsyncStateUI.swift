// The adapters of AsyncState for UIKit, AppKit and SwiftUI.
//
// Each folder is compiled where its framework is. Where there is none, as on Linux, this module is empty.
