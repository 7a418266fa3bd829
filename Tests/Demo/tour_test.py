"""The tour, and the command line: what is printed, where, and how the process ends."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from terminal import DEADLINE, EXECUTABLE, Terminal

SCENES = ["such", "files", "race", "cancel", "custom", "flicker", "retry", "refresh", "stream", "like"]


def run(*arguments, **settings):
    result = subprocess.run([EXECUTABLE, *arguments], capture_output=True, stdin=subprocess.DEVNULL, **settings)
    return result.returncode, result.stdout.decode(), result.stderr.decode()


class TourTest(unittest.TestCase):
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

    # The lines

    def test_ends_by_itself_within_twenty_seconds(self):
        start = time.monotonic()
        status, output, errors = run(self.folder)
        self.assertLess(time.monotonic() - start, 20)
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual(re.findall(r"(?m)^(\w+): ", output), SCENES)
        self.assertEqual(output, self.tour(), "the speed must not change the lines")

    def test_the_same_seed_gives_the_same_lines(self):
        seven = self.tour("--seed", "7")
        self.assertEqual(seven, self.tour("--seed", "7"))
        self.assertNotEqual(seven, self.tour("--seed", "8"))

    def test_every_scene_can_be_played_alone_and_is_the_same_then(self):
        whole = self.tour()
        parts = dict(re.findall(r"(?ms)^(\w+): (.*?)(?:\n\n|\Z)", whole))
        self.assertEqual(list(parts), SCENES)
        for scene in SCENES:
            with self.subTest(scene):
                alone = self.tour("--scene", scene)
                self.assertIn(f"\n{scene}: {parts[scene]}".rstrip("\n"), alone)
                self.assertEqual(re.findall(r"(?m)^(\w+): ", alone), [scene])

    def test_several_scenes_are_played_in_the_order_asked_for(self):
        for options in [["--scene", "race,such"], ["--scene", "race", "--scene=such"]]:
            self.assertEqual(re.findall(r"(?m)^(\w+): ", self.tour(*options)), ["race", "such"])

    def test_time_never_runs_backwards_and_will_and_did_come_in_pairs(self):
        for scene in self.tour().split("\n\n")[1:]:
            times = [float(time) for time in re.findall(r"(?m)^ +(\d+\.\d{3}) ", scene)]
            self.assertEqual(times, sorted(times))
            ends = re.findall(r"(?m)^ +[\d.]+  (will|did) +(.*)$", scene)
            self.assertEqual(len(ends) % 2, 0)
            for (first, will), (second, did) in zip(ends[::2], ends[1::2]):
                self.assertEqual((first, second, will), ("will", "did", did))

    # The stories

    def story(self, scene, *seed):
        """The scene's lines without their times."""
        lines = self.tour("--scene", scene, *seed).split("\n\n")[1].splitlines()[1:]
        return [re.sub(r"^ +[\d.]+ +", "", line) for line in lines]

    def assert_in_order(self, lines, *expected):
        rest = iter(lines)
        for part in expected:
            self.assertTrue(any(part in line for line in rest), f"{part!r} is not where it should be in {lines}")

    def test_such_goes_through_all_four_states(self):
        for seed in ["1", "2", "3"]:
            story = "\n".join(self.story("such", "--seed", seed))
            for end in ["loading → data", "loading → error", "loading → noData", "“such text”", "such an error"]:
                self.assertIn(end, story)

    def test_files_are_those_of_the_folder(self):
        self.assert_in_order(
            self.story("files"), "2 entries: a.txt, b.txt", "loading → data", "no entries", "loading → noData",
            "missing: No such file or directory", "loading → error", "1 entry: found.txt", "loading → data")

    def test_the_older_answer_of_a_race_is_not_shown(self):
        story = self.story("race")
        self.assert_in_order(story, "another reload runs instead", "answer to “sw”", "value: swallow, swan", "answer to “s”")
        self.assertEqual(story[-1], "▸ The answer to “s” arrives: 3 birds.")

    def test_a_cancel_brings_the_content_back(self):
        self.assert_in_order(
            self.story("cancel"), "data → loading", "▸ Cancel.", "all else is as it was", "loading → data",
            "content is here")

    def test_animations_end_each_in_its_time_and_an_in_between_state_never_shows(self):
        story = self.story("custom")
        self.assert_in_order(
            story, "saving → saved", "shade is gone", "editor is gone", "receipt is here", "saving → saved",
            "The transition is finished.", "saved → editing", "editing → saved")

    def test_a_pacer_keeps_the_spinner_from_flickering(self):
        without, paced = "\n".join(self.story("flicker")).split("▸ With a pacer")
        self.assertEqual((without.count("spinner is here"), paced.count("spinner is here")), (2, 1))

    def test_retries_are_seen(self):
        self.assert_in_order(
            self.story("retry"), "attempt 1 has failed: report.txt: No such file or directory", "attempt 2 has failed",
            "value: All is well.")

    def test_content_stays_beside_a_refresh_and_its_failure(self):
        story = self.story("refresh")
        self.assert_in_order(
            story, "a refresh runs", "value: hello.txt, news.txt", "data → data", "a refresh runs",
            "error: inbox: No such file or directory; the value is still known")
        self.assertFalse([line for line in story if "data → loading" in line or "→ error" in line])

    def test_a_stream_shows_its_parts(self):
        self.assert_in_order(
            self.story("stream"), "1 line, so far", "progress 25 %", "2 lines, so far", "progress 50 %",
            "3 lines, so far", "progress 75 %", "4 lines, so far", "progress 100 %", "the value is complete")

    def test_a_like_that_fails_is_taken_back_alone(self):
        story = self.story("like")
        self.assert_in_order(story, "value: ♥ Oslo  ♡ Rome", "value: ♥ Oslo  ♥ Rome", "value: ♥ Oslo  ♡ Rome")
        self.assertTrue([line for line in story if "The like for Rome has failed: heart: No such file or directory" in line])

    # Where it is printed

    def test_on_a_terminal_the_screen_is_live_and_the_lines_are_the_same(self):
        plain = self.tour()
        with Terminal("--speed", "20", self.folder, columns=160, rows=400) as terminal:
            self.assertEqual(terminal.wait_for_exit(), 0)
            self.assertEqual(terminal.screen.text.rstrip(), plain.rstrip())
            self.assertTrue(terminal.screen.is_cursor_visible)
            written = terminal.raw.decode()
            self.assertGreater(len(set(re.findall("[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]", written))), 3, "the spinner does not turn")
            self.assertIn("✗ such an error", written, "the panel for the error is not shown")
            self.assertRegex(terminal.raw, rb"\x1b\[3[0-9]m")

    def test_plain_lines_only_where_they_are_asked_for(self):
        plain = self.tour("--scene", "such")
        for options, environment in [(["--plain"], {}), ([], {"TERM": "dumb"})]:
            with Terminal(
                "--speed", "100", "--scene", "such", *options, self.folder, environment=environment, columns=120, rows=100
            ) as terminal:
                self.assertEqual(terminal.wait_for_exit(), 0)
                self.assertNotIn(b"\x1b", terminal.raw)
                self.assertEqual(terminal.raw.decode().replace("\r\n", "\n"), plain)

    def test_no_colours_where_they_are_not_wanted(self):
        with Terminal("--speed", "100", "--scene", "such", self.folder, environment={"NO_COLOR": "1"}) as terminal:
            self.assertEqual(terminal.wait_for_exit(), 0)
            self.assertNotRegex(terminal.raw, rb"\x1b\[[0-9;]*3[0-9]m")

    def test_ends_quietly_when_nobody_reads_on(self):
        temporary = tempfile.mkdtemp(dir=self.folder)
        start = time.monotonic()
        result = subprocess.run(
            ["bash", "-c", f"'{EXECUTABLE}' | head -n 20; exit ${{PIPESTATUS[0]}}"], capture_output=True,
            cwd=self.folder, env={**os.environ, "TMPDIR": temporary})
        self.assertLess(time.monotonic() - start, 5)
        self.assertEqual((result.returncode, result.stderr), (141, b""))
        self.assertEqual(os.listdir(temporary), [])

    def test_a_signal_ends_it_and_leaves_nothing_behind(self):
        for name, end, status in [
            ("Ctrl-C", lambda terminal: terminal.press("control c"), 130),
            ("terminate", lambda terminal: terminal.process.terminate(), 143),
        ]:
            with self.subTest(name):
                temporary = tempfile.mkdtemp(dir=self.folder)
                with Terminal(self.folder, environment={"TMPDIR": temporary}) as terminal:
                    terminal.wait_for("Loading")
                    self.assertNotEqual(os.listdir(temporary), [])
                    end(terminal)
                    self.assertEqual(terminal.wait_for_exit(), status)
                    self.assertNotIn("╭", terminal.screen.text)
                    self.assertEqual(os.listdir(temporary), [])

    def test_a_signal_ends_it_at_whatever_moment_it_comes(self):
        # Where one processor has to do for all its threads, what they do one after another takes longest.
        def pin():
            if hasattr(os, "sched_setaffinity"):
                os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

        temporary = tempfile.mkdtemp(dir=self.folder)
        delay, statuses = 0, []
        while statuses.count(143) < 100:
            process = subprocess.Popen(
                [EXECUTABLE, self.folder], stdout=subprocess.DEVNULL, preexec_fn=pin,
                env={**os.environ, "TMPDIR": temporary})
            self.addCleanup(process.kill)
            time.sleep(delay)
            process.terminate()
            statuses.append(process.wait(DEADLINE))
            # Until it listens, a signal does what it does by default.
            self.assertIn(statuses[-1], [143, -signal.SIGTERM], f"after {delay:.4f} s")
            self.assertEqual(os.listdir(temporary), [])
            delay += 0.0001

    def test_the_current_folder_is_the_default(self):
        status, output, _ = run("--speed", "100", "--scene", "files", cwd=self.folder)
        self.assertEqual(status, 0)
        self.assertIn("2 entries: a.txt, b.txt", output)


class CommandLineTest(unittest.TestCase):
    def test_lists_the_scenes_with_a_line_each(self):
        status, output, errors = run("--list")
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual([line.split()[0] for line in output.splitlines()], SCENES)
        self.assertTrue(all(len(line.split()) > 4 for line in output.splitlines()))

    def test_helps(self):
        for arguments in [["--help"], ["-h"], ["browse", "--help"]]:
            status, output, errors = run(*arguments)
            self.assertEqual((status, errors), (0, ""))
            for word in ["--seed", "--speed", "--scene", "--list", "--plain", "browse", "--lag", "--faults", "EXIT STATUS"]:
                self.assertIn(word, output)

    def test_a_bad_option_is_one_line_and_64(self):
        for arguments, wrong, possible in [
            (["--sped", "2"], "“--sped”", "--speed X"),
            (["-x"], "“-x”", "--seed N"),
            (["--speed", "fast"], "“fast”", "from 0.1 to 1000"),
            (["--speed", "0"], "“0”", "from 0.1 to 1000"),
            (["--speed", "nan"], "“nan”", "from 0.1 to 1000"),
            (["--scene"], "--scene needs a value", ", ".join(SCENES)),
            (["--speed"], "--speed needs a value", "from 0.1 to 1000"),
            (["--seed", "-1"], "“-1”", "from 0 to 18446744073709551615"),
            (["--seed=1.5"], "“1.5”", "from 0 to"),
            (["--scene", "nope"], "“nope”", ", ".join(SCENES)),
            (["--scene", "such,"], "“”", "such, files"),
            (["--plain=yes"], "“yes”", "no value"),
            (["one", "two"], "“two”", "PATH"),
            (["--evil\n\x1b[2J"], "“--evil\\n\\u{1B}[2J”", "--seed"),
            (["browse", "--lag", "slow"], "“slow”", "from 0 to 60000"),
            (["browse", "--lag", "-5"], "“-5”", "from 0 to 60000"),
            (["browse", "--speed", "2"], "“--speed”", "--lag MILLISECONDS"),
            (["browse", "one", "two"], "“two”", "PATH"),
        ]:
            with self.subTest(arguments):
                status, output, errors = run(*arguments)
                self.assertEqual((status, output), (64, ""))
                self.assertRegex(errors, r"\AAsyncStateDemo: [^\n]+\n\Z")
                self.assertIn(wrong, errors)
                self.assertIn(possible, errors)

    def test_a_folder_that_cannot_be_read_is_one_line_and_66(self):
        for arguments in [["/does/not/exist"], ["--", "--missing"], [EXECUTABLE]]:
            with self.subTest(arguments):
                status, output, errors = run(*arguments)
                self.assertEqual((status, output), (66, ""))
                self.assertRegex(errors, r"\AAsyncStateDemo: [^\n]+: (No such file or directory|Not a directory)\n\Z")


if __name__ == "__main__":
    unittest.main()
