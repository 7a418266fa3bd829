// SPDX-License-Identifier: MIT
extension StateJournal {
  /// The entries as one HTML file, to look into what happened: in any browser, without a network and without a server.
  ///
  /// It displays a lane for each subject over time, the entries as a list that can be searched, and for the selected entry
  /// its causes and effects, each a link. It can be used with the keyboard and with a screen reader, and is light or dark as
  /// the system is. It refers to nothing outside of the file, so it can be attached to a report.
  ///
  /// Names, states and errors are in it as in ``timeline``: as text. What stands in them is never read as HTML or as a script.
  ///
  /// - Parameter title: The title of the file.
  /// - Complexity: O(*n*) for *n* entries that are kept.
  public func page(title: String = "State journal") -> String {
    JournalPage(title: title, entries: entries, dropped: dropped).html
  }
}
