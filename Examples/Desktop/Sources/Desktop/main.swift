// SPDX-License-Identifier: MIT
import AsyncStateGTK
import Browser
import Foundation

let path = CommandLine.arguments.dropFirst().first ?? FileManager.default.currentDirectoryPath
exit(
  Gtk.run("org.example.Files") { [path] application in
    let window = BrowserWindow(Browser(at: path), in: application)
    retain(window, by: application)
    window.present()
  })
