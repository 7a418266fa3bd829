# SPDX-License-Identifier: MIT
"""Names of files that no terminal should receive as they are, and names that are too long."""

import os
import subprocess
import sys
import unittest

from cases import BrowserCase
from terminal import EXECUTABLE


class BrowserNamesTest(BrowserCase):
    def test_names_cannot_move_the_cursor_and_columns_stay_in_line(self):
        names = {
            b"bell\x07": "bell\\u{07}", b"clear\x1b[2J": "clear\\u{1B}[2J", b"line\nfeed": "line\\nfeed",
            b"next\xc2\x85line": "next\\u{0085}line", "turn\u202eround".encode(): "turn\\u{202E}round",
            "combined e\u0301".encode(): "combined e\u0301", "\u0301 alone".encode(): "\\u{0301} alone",
            "日本語".encode(): "日本語", "party 🎉 time".encode(): "party 🎉 time",
            "family 👨\u200d👩\u200d👧".encode(): "family 👨\u200d👩\u200d👧", "flag 🇳🇴".encode(): "flag 🇳🇴",
            "한국어".encode(): "한국어", "zero\u200bwidth".encode(): "zero\\u{200B}width",
        }
        self.assert_shown(names)

    @unittest.skipIf(sys.platform == "darwin", "its file systems have no names that are no text")
    def test_names_that_are_no_text_are_shown_byte_by_byte(self):
        self.assert_shown({b"half \xe6\x97": "half \\xE6\\x97", b"latin \xe9t\xe9": "latin \\xE9t\\xE9"})

    def assert_shown(self, names):
        """Makes files with these names, and finds each name as it should be shown, with the columns in line."""
        for name in names:
            with open(os.path.join(os.fsencode(self.top), name), "w"):
                pass
        terminal = self.browse()
        terminal.wait_until(lambda screen: screen.text.count("file, 0 B") == len(names), "all details")
        rows = range(2, 2 + len(names))
        shown = {terminal.screen.line(row)[2:].removesuffix("file, 0 B").rstrip() for row in rows}
        self.assertEqual(shown, set(names.values()))
        self.assertEqual({terminal.screen.column_of(row, "file, 0 B") for row in rows}, {70})

    def test_long_names_end_in_an_ellipsis(self):
        self.make("a" * 100, "語" * 60)
        terminal = self.browse(columns=60)
        terminal.wait_until(lambda screen: screen.text.count("file, 0 B") == 2, "all details")
        self.assertIn("aaa…  ", terminal.screen.text)
        self.assertIn("語…  ", terminal.screen.text)

    @unittest.skipIf(sys.platform == "darwin", "its file systems have no names that are no text")
    def test_a_folder_with_a_nasty_name_can_be_opened(self):
        folder = os.path.join(os.fsencode(self.top), b"\xff\x1b]0;title\x07")
        os.mkdir(folder)
        with open(os.path.join(folder, b"inside"), "w"):
            pass
        terminal = self.browse()
        terminal.wait_for("\\xFF\\u{1B}]0;title\\u{07}/")
        terminal.press("enter")
        terminal.wait_for("inside", "top/\\xFF")

    @unittest.skipIf(sys.platform == "darwin", "its file systems have no names that are no text")
    def test_a_path_that_is_no_text_can_be_opened(self):
        folder = os.path.join(os.fsencode(self.top), b"latin \xe9t\xe9")
        os.mkdir(folder)
        with open(os.path.join(folder, b"inside"), "w"):
            pass
        terminal = self.browse(path=folder)
        terminal.wait_for("latin \\xE9t\\xE9", "inside")
        # As the current folder, too.
        result = subprocess.run([EXECUTABLE, "browse", "--plain", "--lag", "0"], cwd=folder, capture_output=True)
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        self.assertIn(b"  inside\n", result.stdout)
