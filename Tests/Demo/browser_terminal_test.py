# SPDX-License-Identifier: MIT
"""The browser and its terminal: every way of ending and stopping, sizes, and no terminal at all."""

import os
import signal
import subprocess
import termios

from cases import BrowserCase
from terminal import EXECUTABLE


class BrowserTerminalTest(BrowserCase):
    def test_follows_the_size_of_the_terminal(self):
        self.make(*(f"{number:02}" for number in range(40)))
        terminal = self.browse()
        terminal.wait_for("1 of 40", " 18 ")
        terminal.press("end")
        terminal.wait_for("▸ 39")
        terminal.resize(100, 12)
        terminal.wait_for("▸ 39", " 33 ", "quit")
        terminal.wait_until_gone(" 32 ")
        terminal.resize(41, 12)
        # As many hints as there is room for, and how to get out.
        terminal.wait_for("⌫ up  i inspect  q quit")
        terminal.resize(30, 6)
        terminal.wait_until(
            lambda screen: screen.lines == ["Too small: 30×6, needs 40×10"] + [""] * 5, "a clear line and nothing else")
        terminal.resize(9, 4)
        terminal.wait_until(
            lambda screen: screen.lines == ["Too", "small:", "9×4,", "needs"], "as much of it as there is room for")
        terminal.resize(40, 24)
        terminal.wait_for("40 of 40")
        terminal.resize(80, 24)
        terminal.resize(80, 24)
        terminal.wait_for("40 of 40", "▸ 39", "quit")

    def test_leaves_the_terminal_as_it_was(self):
        self.make("file.txt")
        endings = {
            "q": (lambda terminal: terminal.press("q"), 0),
            "Ctrl-C": (lambda terminal: terminal.press("control c"), 130),
            "interrupt": (lambda terminal: terminal.process.send_signal(signal.SIGINT), 130),
            "terminate": (lambda terminal: terminal.process.send_signal(signal.SIGTERM), 143),
            "hang up": (lambda terminal: terminal.process.send_signal(signal.SIGHUP), 129),
            "quit": (lambda terminal: terminal.process.send_signal(signal.SIGQUIT), 131),
            "user": (lambda terminal: terminal.process.send_signal(signal.SIGUSR1), 128 + signal.SIGUSR1),
            "pipe": (lambda terminal: terminal.process.send_signal(signal.SIGPIPE), 141),
            "alarm": (lambda terminal: terminal.process.send_signal(signal.SIGALRM), 142),
        }
        for name, (end, status) in endings.items():
            with self.subTest(name):
                terminal = self.browse()
                terminal.wait_for("file, 0 B")
                self.assertNotEqual(termios.tcgetattr(terminal.slave), terminal.attributes)
                self.assertTrue(terminal.screen.is_alternate)
                self.assertFalse(terminal.screen.is_cursor_visible)
                end(terminal)
                self.assertEqual(terminal.wait_for_exit(), status)
                self.assert_restored(terminal)

    def test_stops_and_continues(self):
        self.make("file.txt")
        for name, stop in [("key", None), ("signal", signal.SIGTSTP), ("no warning", signal.SIGSTOP)]:
            with self.subTest(name):
                terminal = self.browse(job="foreground")
                terminal.wait_for("file, 0 B")
                if stop:
                    os.kill(terminal.children()[0], stop)
                else:
                    terminal.press("control z")
                terminal.wait_for_stop()
                if stop != signal.SIGSTOP:
                    self.assertEqual(termios.tcgetattr(terminal.slave), terminal.attributes)
                    self.assert_restored(terminal)
                # The shell and another program have used the terminal meanwhile.
                for row in range(1, 25):
                    terminal.screen.feed(b"\x1b[%d;1Hdebris" % row)
                self.assertIn("debris", terminal.screen.text)
                terminal.resume("foreground")
                terminal.wait_for("▸ file.txt", "quit")
                terminal.wait_until_gone("debris")
                self.assertTrue(terminal.screen.is_alternate)
                terminal.press("q")
                self.assertEqual(terminal.wait_for_exit(), 0)
                self.assertEqual(termios.tcgetattr(terminal.slave), terminal.attributes)

    def test_a_job_that_continues_in_the_background_waits_for_the_foreground(self):
        self.make("file.txt")
        terminal = self.browse(job="foreground")
        terminal.wait_for("file, 0 B")
        terminal.press("control z")
        terminal.wait_for_stop()
        written = len(terminal.raw)
        terminal.resume("background")
        terminal.wait_for_stop()
        self.assertEqual(len(terminal.raw), written)
        terminal.resume("foreground")
        terminal.wait_until(lambda screen: screen.is_alternate and "file.txt" in screen.text, "a new drawing")
        terminal.press("q")
        self.assertEqual(terminal.wait_for_exit(), 0)
        self.assert_restored(terminal)

    def test_what_is_typed_for_another_job_does_not_end_a_job_in_the_background(self):
        self.make("file.txt")
        terminal = self.browse(job="foreground", does_echo=False)
        terminal.wait_for("file, 0 B")
        for stop in [signal.SIGTSTP, signal.SIGSTOP]:
            for _ in range(10):
                os.kill(terminal.children()[0], stop)
                terminal.wait_for_stop()
                termios.tcsetattr(terminal.slave, termios.TCSANOW, terminal.attributes)
                terminal.send("ls\n")
                terminal.resume("background")
                terminal.wait_for_stop()
                termios.tcflush(terminal.slave, termios.TCIFLUSH)
                drawings = terminal.raw.count(b"\x1b[?1049h")
                terminal.resume("foreground")
                terminal.wait_until(lambda _: terminal.raw.count(b"\x1b[?1049h") > drawings, "a new drawing")
        terminal.wait_for("▸ file.txt", "quit")
        terminal.press("q")
        self.assertEqual(terminal.wait_for_exit(), 0)
        self.assert_restored(terminal)

    def test_a_sequence_that_was_cut_off_takes_no_other_key(self):
        self.make("a", "b")
        for rest in [b"\xf0\x9f", b"\xc3", b"\x1b[1;", b"\x1bO"]:
            with self.subTest(rest):
                terminal = self.browse()
                terminal.wait_for("1 of 2")
                terminal.send(rest + b"\x03")
                self.assertEqual(terminal.wait_for_exit(), 130)
                self.assert_restored(terminal)

    def test_texts_are_wrapped_and_not_cut(self):
        terminal = self.browse(columns=40, rows=10, path=os.path.join(self.top, "missing"))
        terminal.wait_for("   missing\n   r  try again    ⌫  the folder\n   above\n")

    def test_a_job_that_is_stopped_can_be_ended(self):
        self.make("file.txt")
        for name, stop in [("key", None), ("no warning", signal.SIGSTOP)]:
            for ending in [signal.SIGTERM, signal.SIGHUP, signal.SIGINT]:
                with self.subTest(name=name, ending=ending):
                    terminal = self.browse(job="foreground")
                    terminal.wait_for("file, 0 B")
                    job = terminal.children()[0]
                    if stop:
                        os.kill(job, stop)
                    else:
                        terminal.press("control z")
                    terminal.wait_for_stop()
                    # As a shell's `kill` does: the job continues in the background, where it may not use the terminal.
                    os.kill(job, ending)
                    terminal.resume("background")
                    self.assertIn(terminal.wait_for_exit(), [-ending % 256, 128 + ending])

    def test_a_key_to_stop_without_a_shell_changes_nothing(self):
        self.make("file.txt")
        terminal = self.browse()
        terminal.wait_for("file, 0 B")
        terminal.press("control z")
        # What is typed while the terminal is restored is thrown away, and another thread may receive the signal that stops
        # nothing, which restores it once more: so the next key waits until nothing is written any more.
        terminal.wait_until(lambda _: terminal.raw.count(b"\x1b[?1049h") >= 2, "the terminal to be taken again")
        terminal.wait_until_quiet()
        terminal.wait_for("▸ file.txt", "quit")
        terminal.press("q")
        self.assertEqual(terminal.wait_for_exit(), 0)
        self.assert_restored(terminal)

    def test_quits_in_the_middle_of_a_load_and_on_an_error(self):
        terminal = self.browse(lag=60_000)
        terminal.wait_for("Opening")
        terminal.press("q")
        self.assertEqual(terminal.wait_for_exit(), 0)
        self.assert_restored(terminal)
        terminal = self.browse(path=os.path.join(self.top, "missing"))
        terminal.wait_for("No such file or directory: missing")
        terminal.press("q")
        self.assertEqual(terminal.wait_for_exit(), 0)
        self.assert_restored(terminal)

    def test_ends_when_nobody_is_there_any_more(self):
        terminal = self.browse()
        terminal.wait_for("This folder is empty.")
        terminal.hang_up()
        self.assertEqual(terminal.wait_for_exit(), 129)

    def test_does_without_colours_where_they_are_not_wanted(self):
        self.make("file.txt")
        terminal = self.browse(environment={"NO_COLOR": "1"})
        terminal.wait_for("file, 0 B")
        self.assertNotRegex(terminal.raw, rb"\x1b\[[0-9;]*3[0-9]m")

    # Without a terminal

    def list(self, *arguments):
        result = subprocess.run(
            [EXECUTABLE, "browse", "--lag", "0", *arguments], stdin=subprocess.DEVNULL, capture_output=True)
        return result.returncode, result.stdout.decode(), result.stderr.decode()

    def test_lists_once_where_there_is_no_terminal(self):
        self.make("inner/", "b.txt", "a\nb.txt")
        status, output, errors = self.list(self.top)
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual(output, f"{self.top}: loading\n{self.top}: data\n  inner/\n  a\\nb.txt\n  b.txt\n")
        status, output, errors = self.list(os.path.join(self.top, "inner"))
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual(output, f"{self.top}/inner: loading\n{self.top}/inner: no data\n")

    def test_what_cannot_be_read_is_an_error(self):
        missing = os.path.join(self.top, "missing")
        status, output, errors = self.list(missing)
        self.assertEqual(status, 66)
        self.assertEqual(output, f"{missing}: loading\n{missing}: error\n")
        self.assertEqual(errors, f"AsyncStateDemo: {missing}: No such file or directory\n")

    def test_a_current_folder_that_is_gone_is_an_error_and_not_another_folder(self):
        command = 'mkdir gone && cd gone && rmdir "$PWD" && exec "$0" browse --lag 0'
        result = subprocess.run(
            ["sh", "-c", command, EXECUTABLE], cwd=self.top, stdin=subprocess.DEVNULL, capture_output=True)
        self.assertEqual((result.returncode, result.stdout), (66, b""))
        self.assertEqual(result.stderr, b"AsyncStateDemo: the current folder was removed; possible: the whole path of another\n")
