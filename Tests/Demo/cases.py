# SPDX-License-Identifier: MIT
"""What the tests of the demo start from: the demo, and a terminal that must be left in order."""

import subprocess
import termios
import unittest

from terminal import EXECUTABLE, Terminal

SCENES = ["race", "cancel", "refresh", "flicker", "empty", "like", "retry", "offline", "stream", "custom"]


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
    def tour(self, *options, **settings):
        status, output, errors = run("--speed", "100", *options, **settings)
        self.assertEqual((status, errors), (0, ""))
        return output
