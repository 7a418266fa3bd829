"""The tour, and the command line: what is printed, what is drawn, and how the process ends."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import termios
import time
import unittest
from random import Random

from terminal import EXECUTABLE, SECONDS, Terminal

SCENES = ["race", "cancel", "flicker", "refresh", "like", "retry", "stream", "such", "gallery", "files", "custom"]
COMPARED = ["race", "cancel", "flicker", "like"]
PACKAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


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
        for _ in range(10):
            self.assertEqual(seven, self.tour("--seed", "7"))
        self.assertNotEqual(seven, self.tour("--seed", "8"))

    def test_every_scene_can_be_played_alone_and_is_the_same_then(self):
        scenes = re.split(r"(?m)^(?=\w+: )", self.tour())[1:]
        self.assertEqual(len(scenes), len(SCENES))
        for scene, text in zip(SCENES, scenes):
            with self.subTest(scene):
                self.assertTrue(self.tour("--scene", scene).rstrip().endswith(text.rstrip()))

    def test_several_scenes_are_played_in_the_order_asked_for(self):
        for options in [["--scene", "race,such"], ["--scene", "race", "--scene=such"]]:
            self.assertEqual(re.findall(r"(?m)^(\w+): ", self.tour(*options)), ["race", "such"])

    def test_time_never_runs_backwards(self):
        for scene in SCENES:
            times = [float(time) for time in re.findall(r"(?m)^ +(\d+\.\d{3}) ", self.tour("--scene", scene))]
            self.assertGreaterEqual(len(times), 4)
            self.assertEqual(times, sorted(times))

    def test_the_code_of_a_scene_is_a_part_of_its_source(self):
        for scene in SCENES:
            path = os.path.join(PACKAGE, "Sources/AsyncStateDemo/Scenes", scene.capitalize() + ".swift")
            with open(path) as file:
                source = {line.strip() for line in file}
            code = [line.strip() for line in self.tour("--scene", scene).splitlines() if line.startswith("      ")]
            self.assertGreaterEqual(len(code), 5, scene)
            self.assertLessEqual(len(code), 8, scene)
            self.assertEqual([line for line in code if line not in source], [])

    # The stories

    def story(self, scene, *seed):
        """What happens in the scene: lane and text of each line."""
        lines = re.findall(r"(?m)^ +\d+\.\d{3}  (.{14}) (.*)$", self.tour("--scene", scene, *seed))
        return [(lane.strip(), text) for lane, text in lines]

    def display(self, scene, box, *seed):
        """What a box of the scene displays, in order."""
        return [text for lane, text in self.story(scene, *seed) if lane == box]

    def test_the_older_answer_of_a_race_is_displayed_by_hand_only(self):
        for seed in ["1", "2", "3"]:
            self.assertEqual(
                self.display("race", "by hand", "--seed", seed),
                ["Loading", "swallow, swan", "sparrow, swallow, swan"])
            self.assertEqual(self.display("race", "AsyncState", "--seed", seed), ["Loading", "swallow, swan"])

    def test_a_cancel_brings_the_content_back(self):
        content = "Buy bread., Call home."
        self.assertEqual(self.display("cancel", "by hand"), ["Loading", content, "Loading", "✗ CancellationError()"])
        self.assertEqual(self.display("cancel", "AsyncState"), ["Loading", content, "Loading", content])

    def test_a_pacer_keeps_the_indicator_from_flickering(self):
        self.assertEqual(self.display("flicker", "by hand").count("Loading"), 3)
        self.assertEqual(self.display("flicker", "AsyncState"), ["€ 12.50", "Loading", "€ 12.50"])

    def test_content_stays_beside_a_refresh_and_its_failure(self):
        self.assertEqual(
            self.display("refresh", "screen"),
            ["Loading", "Hello!", "Hello!, News!", "Hello!, News! (✗ The server is closed)", "Hello!, News!, Bye!"])

    def test_a_like_that_fails_is_taken_back_alone(self):
        before = ["♡ Oslo, ♡ Rome", "♡ Oslo, ♥ Rome", "♥ Oslo, ♥ Rome"]
        self.assertEqual(self.display("like", "by hand"), [*before, "♡ Oslo, ♡ Rome"])
        self.assertEqual(self.display("like", "AsyncState"), [*before, "♥ Oslo, ♡ Rome"])

    def test_retries_are_seen(self):
        self.assertEqual(
            self.events("retry", "report"),
            ["load started (reload)", *(f"attempt {number} failed, retrying: The report is not written yet"
                                        for number in [1, 2, 3]), "answered"])
        self.assertEqual(self.events("retry", "request").count("load started (reload)"), 4)
        self.assertEqual(self.events("retry", "request").count("failed: The report is not written yet"), 3)
        self.assertEqual(self.story("retry")[-1], ("screen", "All is well."))

    def test_a_stream_shows_its_parts(self):
        self.assertEqual(
            self.display("stream", "progress"), ["not known", "25 %", "50 %", "75 %", "complete"])
        self.assertEqual([text.count(", ") for text in self.display("stream", "screen")], [0, 0, 1, 2, 3])
        self.assertEqual(
            self.events("stream", "poem"),
            ["load started (reload)", *(text for part in [25, 50, 75, 100] for text in ["yielded", f"progress {part} %"]),
             "answered"])

    def test_such_goes_through_all_four_states(self):
        self.assertEqual(
            self.display("such", "screen"),
            ["Loading", "such text", "Loading", "There is nothing here", "Loading", "✗ such an error"])

    def test_the_gallery_has_the_four_statuses(self):
        self.assertEqual(
            self.story("gallery"),
            [("loading", "Loading"), ("data", "Rain, Sun, Wind"), ("noData", "There is nothing here"),
             ("error", "✗ No connection")])

    def test_files_are_those_of_the_folder(self):
        self.assertEqual(
            self.display("files", "screen"),
            ["Loading", "a.txt, b.txt", "Loading", "✗ No such file or directory: missing", "Loading", "a.txt, b.txt"])

    def test_animations_end_each_in_its_time_and_an_in_between_state_is_never_displayed(self):
        events = self.events("custom", "letter")
        self.assertEqual(
            [event.removesuffix(", animated") for event in events if "transition" in event],
            ["will transition to editing", "did transition from nothing",
             "will transition to saving", "did transition from editing",
             "will transition to saved", "did transition from saving",
             "will transition to editing", "did transition from saved",
             "will transition to saved", "did transition from editing"])
        for child in ["editor", "shade", "receipt"]:
            steps = [event for event in events if re.fullmatch(f"{child} (will|did) (dis)?appear", event)]
            for will, did in zip(steps[::2], steps[1::2]):
                self.assertEqual(will.replace("will", "did"), did)
            self.assertGreaterEqual(len(steps), 4)
            self.assertEqual(len(steps) % 2, 0)

    # What the journal says

    def events(self, scene, subject):
        """The journal's entries about a subject, without their numbers and causes."""
        return [re.fullmatch(r"#\d+ (.*?)(?: ← #\d+)?", text)[1] for text in self.display(scene, subject)]

    def test_the_load_of_the_older_text_is_superseded_though_its_answer_still_arrives(self):
        self.assertEqual(
            self.events("race", "results"),
            ["key changed", "load started (reload)", "superseded", "key changed", "load started (reload)", "answered"])
        story = self.story("race")
        late = next(index for index, (lane, text) in enumerate(story) if lane == "search “s”" and "answered" in text)
        self.assertEqual([lane for lane, _ in story[late:]], ["search “s”", "by hand"])

    def test_every_entry_names_the_one_that_led_to_it(self):
        for scene in SCENES:
            entries = {}
            for lane, text in self.story(scene):
                match = re.fullmatch(r"#(\d+) (.*?)(?: ← #(\d+))?", text)
                if match:
                    number, event, cause = match.groups()
                    entries[number] = f"{lane}: {event}"
                    if cause:
                        self.assertIn(cause, entries, f"{scene}: {text}")
                    if event.startswith(("answered", "failed", "key changed", "attempt", "yielded")):
                        self.assertIsNotNone(cause, f"{scene}: {lane} {text}")
            # The gallery has no loads.
            self.assertEqual(len(entries) >= 4, scene != "gallery", scene)

    # On a terminal

    def live(self, *options, speed=100, **settings):
        terminal = Terminal("--speed", str(speed), *options, self.folder, **settings)
        self.addCleanup(terminal.__exit__)
        return terminal

    def assert_restored(self, terminal):
        self.assertEqual(termios.tcgetattr(terminal.slave), terminal.attributes)
        self.assertFalse(terminal.screen.is_alternate)
        self.assertTrue(terminal.screen.is_cursor_visible)
        self.assertTrue(terminal.screen.does_wrap)

    def test_one_scene_a_screen_and_enter_for_the_next(self):
        terminal = self.live()
        for number, scene in enumerate(SCENES, 1):
            terminal.wait_for(f" {scene} ", f"{number} of {len(SCENES)}", "⏎ end" if scene == SCENES[-1] else "⏎ next")
            terminal.wait_for("✓ AsyncState: ", *(["by hand ─", "✗ By hand: "] if scene in COMPARED else []))
            self.assertFalse(terminal.screen.is_cursor_visible)
            if number < len(SCENES):
                # It stays.
                frame = terminal.screen.text
                terminal.look(0.05)
                self.assertEqual(terminal.screen.text, frame)
            terminal.press("enter")
        self.assertEqual(terminal.wait_for_exit(), 0)
        self.assert_restored(terminal)
        # The last frame stays.
        self.assertIn("✓ AsyncState: every “will” has its “did”", terminal.screen.text)

    def test_the_box_the_code_and_the_lanes_stand_side_by_side(self):
        terminal = self.live("--scene", "race")
        terminal.wait_for("⏎ end")
        lines = terminal.screen.lines
        self.assertRegex(lines[2], r"^ ╭─ by hand ─+╮  let text = Input")
        self.assertRegex(lines[7], r"^ ╭─ AsyncState ─+╮")
        lanes = [line.split()[0] for line in lines[13:18]]
        self.assertEqual(lanes, ["user", "results", "search", "search", "by"])
        self.assertRegex(lines[14], r"━{5,}⊘━{5,}●")
        self.assertRegex(lines[15], r"━{20,}●")

    def test_keys_go_back_play_again_and_quit(self):
        terminal = self.live("--scene", "race,cancel")
        terminal.wait_for(" race ", "⏎ next")
        terminal.press("r")
        terminal.wait_for(" race ", "⏎ next")
        terminal.press("enter")
        terminal.wait_for(" cancel ", "⏎ end")
        terminal.press("backspace")
        terminal.wait_for(" race ", "⏎ next")
        terminal.press("q")
        self.assertEqual(terminal.wait_for_exit(), 0)
        self.assert_restored(terminal)

    def test_a_key_does_not_leave_debris(self):
        terminal = self.live("--scene", "race", speed=2)
        terminal.wait_for("Loading …")
        for _ in range(20):
            terminal.send("xyz%\t")
            terminal.look(0.02)
            self.assertNotIn("xyz", terminal.screen.text)
        terminal.wait_for("⏎ end")
        terminal.press("q")
        terminal.wait_for_exit()
        self.assert_restored(terminal)

    def test_a_frame_is_one_synchronised_write(self):
        terminal = self.live("--scene", "race")
        terminal.wait_for("⏎ end")
        terminal.press("q")
        terminal.wait_for_exit()
        inside = re.sub(rb"\x1b\[\?2026h.*?\x1b\[\?2026l", b"", terminal.raw, flags=re.DOTALL)
        # Beside the frames only taking the terminal, giving it back, and the last frame that stays.
        before, _, after = inside.partition(b"\x1b[m\x1b[?7h")
        self.assertEqual(before, b"\x1b[?1049h\x1b[?25l\x1b[?7l")
        self.assertIn("✓ AsyncState".encode(), after)

    def test_every_size_is_drawn_without_debris(self):
        random = Random(1)
        terminal = self.live(speed=5)
        terminal.wait_for("race")
        sizes = [(40, 10), (80, 24), (200, 60), (20, 5), (60, 30), (120, 12)]
        for _ in range(60):
            terminal.resize(*random.choice(sizes))
            if random.random() < 0.5:
                terminal.press(random.choice(["enter", "r", "backspace", "x", "up"]))
            terminal.look(random.random() * 0.05)
            if terminal.process.poll() is not None:
                break
        terminal.resize(80, 24)
        terminal.wait_for("of 11")
        terminal.press("q")
        self.assertEqual(terminal.wait_for_exit(), 0)
        self.assert_restored(terminal)

    def test_whatever_is_pressed_it_stays_a_tour(self):
        terminal = self.live(speed=3, job="foreground")
        terminal.wait_for("race")
        keys = ["enter", "enter", "r", "backspace", "x", "up", "\x1b", "\x1b[Z", "é", "\x00", "\t"]
        # Enter after the last scene ends the tour: as many steps back as forward.
        keys += ["backspace"] * 2
        terminal.use_at_random(Random(2), keys, SECONDS, self.assert_restored)
        terminal.press("backspace")
        terminal.wait_for("of 11", "quit")
        terminal.press("q")
        self.assertEqual(terminal.wait_for_exit(), 0)
        self.assert_restored(terminal)

    def test_a_stop_restores_the_terminal_and_a_resume_draws_again(self):
        with Terminal("--speed", "0.5", self.folder, job="foreground") as terminal:
            terminal.wait_for("Loading …")
            terminal.press("control z")
            terminal.wait_for_stop()
            self.assertEqual(termios.tcgetattr(terminal.slave), terminal.attributes)
            self.assertFalse(terminal.screen.is_alternate)
            self.assertTrue(terminal.screen.is_cursor_visible)
            terminal.resume("foreground")
            terminal.wait_until(lambda screen: screen.is_alternate and "Loading …" in screen.text, "a new drawing")
            terminal.press("q")
            self.assertEqual(terminal.wait_for_exit(), 0)
            self.assert_restored(terminal)

    def test_a_background_job_does_not_take_the_terminal(self):
        with Terminal(self.folder, job="background") as terminal:
            terminal.wait_for_stop()
            self.assertEqual(terminal.raw, b"")
            self.assertEqual(termios.tcgetattr(terminal.slave), terminal.attributes)
            terminal.resume("foreground")
            terminal.wait_for("race", "Loading …")
            terminal.press("q")
            self.assertEqual(terminal.wait_for_exit(), 0)
            self.assert_restored(terminal)

    def test_plain_lines_only_where_they_are_asked_for(self):
        plain = self.tour("--scene", "such")
        for options, environment in [(["--plain"], {}), ([], {"TERM": "dumb"}), ([], {"TERM": None}), ([], {"TERM": ""})]:
            with self.subTest(environment), Terminal(
                "--speed", "100", "--scene", "such", *options, self.folder, environment=environment, columns=120, rows=100
            ) as terminal:
                self.assertEqual(terminal.wait_for_exit(), 0)
                self.assertNotIn(b"\x1b", terminal.raw)
                self.assertEqual(terminal.raw.decode().replace("\r\n", "\n"), plain)

    def test_no_colours_where_they_are_not_wanted(self):
        terminal = self.live("--scene", "such", environment={"NO_COLOR": "1"})
        terminal.wait_for("⏎ end")
        self.assertNotRegex(terminal.raw, rb"\x1b\[[0-9;]*3[0-9]m")

    def test_a_locale_with_another_character_set_gets_ascii(self):
        utf8 = self.tour("--scene", "race", env={**os.environ, "LC_ALL": "de_DE.UTF-8"})
        self.assertEqual(utf8, self.tour("--scene", "race", env={**os.environ, "LC_ALL": "C"}))
        latin = self.tour("--scene", "race", env={**os.environ, "LC_ALL": "de_DE.ISO-8859-1"})
        self.assertTrue(latin.isascii())
        self.assertEqual([len(line) for line in latin.splitlines()], [len(line) for line in utf8.splitlines()])

    def test_ends_quietly_when_its_reader_has_ended(self):
        start = time.monotonic()
        result = subprocess.run(
            ["bash", "-c", f"'{EXECUTABLE}' | head -n 20; exit ${{PIPESTATUS[0]}}"], capture_output=True, cwd=self.folder)
        self.assertLess(time.monotonic() - start, 5)
        self.assertEqual((result.returncode, result.stderr), (141, b""))

    def test_a_signal_ends_it_and_leaves_a_usable_terminal(self):
        for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2,
                       signal.SIGPIPE, signal.SIGALRM]:
            with self.subTest(number), Terminal(self.folder) as terminal:
                terminal.wait_for("Loading …")
                terminal.process.send_signal(number)
                self.assertEqual(terminal.wait_for_exit(), 128 + number)
                self.assert_restored(terminal)

    def test_control_c_ends_it(self):
        with Terminal(self.folder) as terminal:
            terminal.wait_for("Loading …")
            terminal.press("control c")
            self.assertEqual(terminal.wait_for_exit(), 130)
            self.assert_restored(terminal)

    def test_the_current_folder_is_the_default(self):
        status, output, _ = run("--speed", "100", "--scene", "files", cwd=self.folder)
        self.assertEqual(status, 0)
        self.assertIn("a.txt, b.txt", output)


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
            (["--lag", "2"], "“--lag”", "“browse” and --seed N, --lag MILLISECONDS"),
            (["-x"], "“-x”", "--seed N"),
            (["--speed", "fast"], "“fast”", "from 0.1 to 1000"),
            (["--speed", "0"], "“0”", "from 0.1 to 1000"),
            (["--speed", "nan"], "“nan”", "from 0.1 to 1000"),
            (["--scene"], "--scene needs a value", ", ".join(SCENES)),
            (["--speed"], "--speed needs a value", "from 0.1 to 1000"),
            (["--seed", "-1"], "“-1”", "from 0 to 18446744073709551615"),
            (["--seed=1.5"], "“1.5”", "from 0 to"),
            (["--scene", "nope"], "“nope”", ", ".join(SCENES)),
            (["--scene", "such,"], "“”", "race, cancel"),
            (["--plain=yes"], "“yes”", "no value"),
            (["one", "two"], "“two”", "PATH"),
            (["--evil\n\x1b[2J"], "“--evil\\n\\u{1B}[2J”", "--seed"),
            (["browse", "--lag", "slow"], "“slow”", "from 0 to 60000"),
            (["browse", "--lag", "-5"], "“-5”", "from 0 to 60000"),
            (["browse", "--speed", "2"], "“--speed”", "browse --seed N, --lag MILLISECONDS"),
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

    def test_a_closed_or_full_output_is_a_status(self):
        for arguments in [["--list"], ["--help"], ["--plain", "--speed", "100"], ["browse", "--plain", "--lag", "0"]]:
            for output in [">&-", ">/dev/full"] if os.path.exists("/dev/full") else [">&-"]:
                with self.subTest(arguments=arguments, output=output):
                    result = subprocess.run(
                        ["sh", "-c", f'"$0" "$@" {output}', EXECUTABLE, *arguments], stdin=subprocess.DEVNULL,
                        stderr=subprocess.PIPE)
                    self.assertEqual(result.returncode, 74)
                    self.assertRegex(result.stderr, rb"\AAsyncStateDemo: cannot write the output: [^\n]+\n\Z")


if __name__ == "__main__":
    unittest.main()
