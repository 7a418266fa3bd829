# SPDX-License-Identifier: MIT
"""The command line: options, and the status of what cannot be done."""

import os
import subprocess
import unittest

from cases import SCENES, run
from terminal import EXECUTABLE


class CommandLineTest(unittest.TestCase):
    def test_lists_the_scenes_with_a_line_each(self):
        status, output, errors = run("--list")
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual([line.split()[0] for line in output.splitlines()], SCENES)
        self.assertTrue(all(len(line.split()) > 4 for line in output.splitlines()))

    def test_helps(self):
        for arguments in [["--help"], ["-h"]]:
            status, output, errors = run(*arguments)
            self.assertEqual((status, errors), (0, ""))
            for word in ["--speed", "--scene", "--list", "--plain", "EXIT STATUS"]:
                self.assertIn(word, output)

    def test_a_name_alone_plays_that_scene(self):
        for arguments in [["race"], ["--plain", "race"], ["race", "--plain"], ["race", "like"]]:
            status, output, errors = run(*arguments, "--speed", "100")
            self.assertEqual((status, errors), (0, ""))
            played = [name for name in SCENES if f"\n{name}: " in output]
            self.assertEqual(played, [name for name in SCENES if name in arguments])

    def test_a_bad_option_is_one_line_and_64(self):
        for arguments, wrong, possible in [
            (["--sped", "2"], '"--sped"', "--speed X"),
            (["-x"], '"-x"', "--scene NAME"),
            (["--speed", "fast"], '"fast"', "from 0.1 to 1000"),
            (["--speed", "0"], '"0"', "from 0.1 to 1000"),
            (["--speed", "nan"], '"nan"', "from 0.1 to 1000"),
            (["--scene"], "--scene needs a value", ", ".join(SCENES)),
            (["--speed"], "--speed needs a value", "from 0.1 to 1000"),
            (["--scene", "nope"], '"nope"', ", ".join(SCENES)),
            (["--scene", "like,"], '""', "race, cancel"),
            (["--plain=yes"], '"yes"', "--plain"),
            (["one"], '"one"', ", ".join(SCENES)),
            (["race", "one"], '"one" is no scene', ", ".join(SCENES)),
            (["--evil\n\x1b[2J"], '"--evil\\n\\u{1B}[2J"', "--scene NAME"),
        ]:
            with self.subTest(arguments):
                status, output, errors = run(*arguments)
                self.assertEqual((status, output), (64, ""))
                self.assertRegex(errors, r"\AAsyncStateDemo: [^\n]+\n\Z")
                self.assertIn(wrong, errors)
                self.assertIn(possible, errors)

    def test_a_closed_output_is_not_exchanged_for_another_file(self):
        # What is opened next would get the number of the stream that is closed.
        for closed in [">&-", "<&- >&-", "<&- >&- 2>&-"]:
            with self.subTest(closed=closed):
                result = subprocess.run(
                    ["sh", "-c", f'"$0" --speed 1000 {closed}', EXECUTABLE], stderr=subprocess.PIPE, timeout=30)
                self.assertEqual(result.returncode, 74)

    def test_a_closed_or_full_output_is_a_status(self):
        for arguments in [["--list"], ["--help"], ["--plain", "--speed", "100"]]:
            for output in [">&-", ">/dev/full"] if os.path.exists("/dev/full") else [">&-"]:
                with self.subTest(arguments=arguments, output=output):
                    result = subprocess.run(
                        ["sh", "-c", f'"$0" "$@" {output}', EXECUTABLE, *arguments], stdin=subprocess.DEVNULL,
                        stderr=subprocess.PIPE)
                    self.assertEqual(result.returncode, 74)
                    self.assertRegex(result.stderr, rb"\AAsyncStateDemo: cannot write the output: [^\n]+\n\Z")
