# SPDX-License-Identifier: MIT
"""What the tests of the demo start from: a folder of their own, the demo in it, and a terminal that must be left in order."""

import os
import shutil
import subprocess
import tempfile
import termios
import unittest

from terminal import EXECUTABLE, Terminal

SCENES = ["race", "cancel", "flicker", "refresh", "like", "retry", "offline", "stream", "gallery", "files", "custom"]
# The rows of the browser's list on a terminal of 24 rows, and the cells that it may have besides.
BODY_ROWS = 24 - 5
SPARE_CELLS = 8


def run(*arguments, **settings):
    result = subprocess.run([EXECUTABLE, *arguments], capture_output=True, stdin=subprocess.DEVNULL, **settings)
    return result.returncode, result.stdout.decode(), result.stderr.decode()


class TerminalCase(unittest.TestCase):
    """Tests that start the demo on a terminal."""

    def start(self, *arguments, **settings):
        terminal = Terminal(*arguments, **settings)
        self.addCleanup(terminal.__exit__)
        return terminal

    def assert_restored(self, terminal):
        self.assertEqual(termios.tcgetattr(terminal.slave), terminal.attributes)
        self.assertFalse(terminal.screen.is_alternate)
        self.assertTrue(terminal.screen.is_cursor_visible)
        self.assertTrue(terminal.screen.does_wrap)


class TourCase(TerminalCase):
    """Each test has a folder with two files."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        for name in ["b.txt", "a.txt"]:
            with open(os.path.join(self.folder, name), "w"):
                pass

    def tour(self, *options, **settings):
        status, output, errors = run("--speed", "100", *options, self.folder, **settings)
        self.assertEqual((status, errors), (0, ""))
        return output


class BrowserCase(TerminalCase):
    """Each test has a folder of its own, named `top`."""

    def setUp(self):
        # In memory, where that is possible: one test makes very many files.
        memory = "/dev/shm"
        self.temporary = tempfile.mkdtemp(dir=memory if os.access(memory, os.W_OK) else None)
        self.addCleanup(shutil.rmtree, self.temporary)
        self.top = os.path.join(os.path.realpath(self.temporary), "top")
        os.mkdir(self.top)

    def make(self, *names):
        """Makes files, and folders where a name ends in a slash."""
        for name in names:
            path = os.path.join(self.top, name)
            os.makedirs(os.path.dirname(path) if not name.endswith("/") else path, exist_ok=True)
            if not name.endswith("/"):
                with open(path, "w"):
                    pass

    def browse(self, *options, lag=0, path=None, **settings):
        return self.start("browse", "--lag", str(lag), *options, path or self.top, **settings)

    def selected(self, terminal):
        return [line for line in terminal.screen.lines if line.startswith("▸")][0][2:]

    def assert_restored(self, terminal):
        super().assert_restored(terminal)
        self.assertEqual(terminal.screen.text.strip(), "")
