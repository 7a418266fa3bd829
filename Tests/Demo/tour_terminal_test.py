# SPDX-License-Identifier: MIT
"""The tour on a terminal: what is drawn, and keys. Jobs, signals, sizes and ends are those of the lives at random."""

import os
import re

from cases import SCENES, TourCase
from terminal import Terminal


class TourTerminalTest(TourCase):
    def live(self, *options, speed=100, **settings):
        return self.start("--speed", str(speed), *options, **settings)

    def test_one_scene_a_screen_and_enter_for_the_next(self):
        terminal = self.live()
        for number, scene in enumerate(SCENES, 1):
            terminal.wait_for(f" {scene} ", f"{number} of {len(SCENES)}", "⏎ end" if scene == SCENES[-1] else "⏎ next")
            terminal.wait_for("✓ AsyncState: ", "by hand ─", "AsyncState ─", "✗ By hand: ")
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
        self.assertIn("✓ AsyncState: the editor, as it was requested;", terminal.screen.text)

    def test_the_box_the_code_and_the_lanes_stand_side_by_side(self):
        terminal = self.live("--scene", "race")
        terminal.wait_for("⏎ end")
        lines = terminal.screen.lines
        self.assertRegex(lines[1], r"^ ╭─ by hand ─+╮ ╭─ AsyncState ─+╮")
        self.assertRegex(lines[4], r"^   task\?\.cancel\(\) +let text = Input<String\?>\(nil\)$")
        self.assertRegex(lines[8], r"^ ✗     state = \.data\(try await load\(\)\) +let screen = \{ list\.status \}$")
        lanes = [line.split()[0] for line in lines[13:19]]
        self.assertEqual(lanes, ["user", "list", "search", "search", "by", "AsyncState"])
        self.assertRegex(lines[14], r"━{5,}⊘━{5,}●")
        self.assertRegex(lines[15], r"━{20,}●")

    def test_every_scene_is_complete_on_eighty_columns_and_twenty_four_rows(self):
        for scene in SCENES:
            with self.subTest(scene):
                lines = self.tour("--scene", scene).splitlines()
                code = {line[4:].strip(" ✗") for line in lines if re.match(r"    [ ✗] ", line)}
                self.assertGreaterEqual(len(code), 5)
                verdicts = [line.strip() for line in lines if re.match(r"  [✗✓] ", line)]
                terminal = self.live("--scene", scene)
                terminal.wait_for("⏎ end", "━ running", *verdicts)
                text = terminal.screen.text
                self.assertEqual([line for line in code if line not in text], [], text)
                terminal.press("q")
                self.assertEqual(terminal.wait_for_exit(), 0)

    def test_every_scene_shows_both_halves_and_how_they_end_on_forty_columns_and_ten_rows(self):
        for scene in SCENES:
            with self.subTest(scene):
                lines = self.tour("--scene", scene).splitlines()
                verdicts = " ".join(line.strip() for line in lines if re.match(r"  [✗✓] ", line))
                terminal = self.live("--scene", scene, columns=40, rows=10)
                terminal.wait_for("by hand ─", "AsyncState ─", "✗ By hand", "✓ AsyncState", "q quit")
                self.assertIn(verdicts, " ".join(line.strip() for line in terminal.screen.lines))
                self.assertGreaterEqual(terminal.screen.text.count("╰"), 2)
                terminal.press("q")
                self.assertEqual(terminal.wait_for_exit(), 0)

    def test_colours_are_readable_on_a_light_and_on_a_dark_background(self):
        terminal = self.live()
        for scene in SCENES:
            terminal.wait_for(f" {scene} ", "✓ AsyncState")
            terminal.press("enter")
        terminal.wait_for_exit()
        self.assertEqual(set(re.findall(rb"\x1b\[([0-9;]*)m", terminal.raw)), {b"", b"1", b"2", b"1;31"})

    def test_a_scene_can_be_paused_and_its_speed_changed(self):
        terminal = self.live("--scene", "race", speed=0.5)
        terminal.wait_for("Loading …", "speed 0.5", "p pause")
        terminal.press("p")
        terminal.wait_for("p go on")
        # A tick may be on its way.
        terminal.look(0.2)
        terminal.wait_until_quiet()
        frame = terminal.screen.text
        terminal.look(0.5)
        self.assertEqual(terminal.screen.text, frame)
        terminal.press(*"+" * 5)
        terminal.wait_for("speed 16", "p go on")
        terminal.press(" ")
        terminal.wait_for("⏎ end", "✓ AsyncState", "p pause")
        terminal.press(*"-" * 20)
        terminal.wait_for("speed 0.1")
        terminal.press("q")
        self.assertEqual(terminal.wait_for_exit(), 0)

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

    def test_plain_lines_only_where_they_are_asked_for(self):
        plain = self.tour("--scene", "empty")
        for options, environment in [(["--plain"], {}), ([], {"TERM": "dumb"}), ([], {"TERM": None}), ([], {"TERM": ""})]:
            with self.subTest(environment), Terminal(
                "--speed", "100", "--scene", "empty", *options, environment=environment, columns=120, rows=100
            ) as terminal:
                self.assertEqual(terminal.wait_for_exit(), 0)
                self.assertNotIn(b"\x1b", terminal.raw)
                self.assertEqual(terminal.raw.decode().replace("\r\n", "\n"), plain)

    def test_no_colours_where_they_are_not_wanted(self):
        terminal = self.live("--scene", "empty", environment={"NO_COLOR": "1"})
        terminal.wait_for("⏎ end")
        self.assertNotRegex(terminal.raw, rb"\x1b\[[0-9;]*3[0-9]m")

    def test_a_locale_with_another_character_set_gets_ascii(self):
        utf8 = self.tour("--scene", "race", env={**os.environ, "LC_ALL": "de_DE.UTF-8"})
        self.assertEqual(utf8, self.tour("--scene", "race", env={**os.environ, "LC_ALL": "C"}))
        latin = self.tour("--scene", "race", env={**os.environ, "LC_ALL": "de_DE.ISO-8859-1"})
        self.assertTrue(latin.isascii())
        self.assertEqual([len(line) for line in latin.splitlines()], [len(line) for line in utf8.splitlines()])

    def test_a_sequence_that_was_cut_off_takes_no_other_key(self):
        for rest in [b"\xf0\x9f", b"\xc3", b"\x1b[1;", b"\x1bO"]:
            with self.subTest(rest):
                terminal = self.start()
                terminal.wait_for("Loading …")
                terminal.send(rest + b"\x03")
                self.assertEqual(terminal.wait_for_exit(), 130)
                self.assert_restored(terminal)

    def test_a_key_to_stop_without_a_shell_changes_nothing(self):
        terminal = self.live("--scene", "race")
        terminal.wait_for("⏎ end")
        terminal.press("control z")
        # What is typed while the terminal is restored is thrown away, and another thread may receive the signal that stops
        # nothing, which restores it once more: so the next key waits until nothing is written any more.
        terminal.wait_until(lambda _: terminal.raw.count(b"\x1b[?1049h") >= 2, "the terminal to be taken again")
        terminal.wait_until_quiet()
        terminal.wait_for("⏎ end", "quit")
        terminal.press("q")
        self.assertEqual(terminal.wait_for_exit(), 0)
        self.assert_restored(terminal)
