# SPDX-License-Identifier: MIT
"""The browser's inspector: its lanes, what led to what, and the room that it needs."""

import re
import time

from cases import BrowserCase


class BrowserInspectorTest(BrowserCase):
    def lane(self, terminal, name):
        """What is drawn of a lane, behind its name."""
        lines = [line for line in terminal.screen.lines if line.startswith(f" {name} ") or line == f" {name}"]
        self.assertEqual(len(lines), 1, terminal.screen.text)
        return lines[0][14:]

    def why(self, terminal):
        """The selected entry and its causes, in one line."""
        lines = terminal.screen.lines
        legend = next(row for row, line in enumerate(lines) if line.endswith(("▲ selected", "▲this")))
        return " ".join(line.strip() for line in lines[legend + 1:-3] if line).strip()

    def test_the_inspector_has_lanes_for_data_status_container_and_children(self):
        self.make("inner/", *(f"{number:02}" for number in range(40)))
        terminal = self.browse(lag=100)
        terminal.wait_for("1 of 41", " 17 ", "i inspect")
        terminal.press("i")
        terminal.wait_for("── inspector ─", "━ running  ● answered", "◇ will  ◆ did  ▲ selected")
        names = ["folder load", "folder data", "rows load", "rows data", "details load", "status", "container", "children"]
        first = next(row for row, line in enumerate(terminal.screen.lines) if "inspector" in line and "──" in line) + 1
        for name, line in zip(names, terminal.screen.lines[first:]):
            self.assertEqual(line[1:13].strip(), name)
        self.assertRegex(self.lane(terminal, "folder load"), "━+●")
        terminal.wait_until(lambda _: "●" in self.lane(terminal, "details load"), "the details of the rows")
        self.assertRegex(self.lane(terminal, "folder data"), "▏n.*▏value")
        self.assertRegex(self.lane(terminal, "status"), "▏data")
        self.assertRegex(self.lane(terminal, "container"), "◆data")
        self.assertRegex(self.lane(terminal, "children"), "▏FolderList")
        # The list keeps its selection, and gets its rows back.
        terminal.wait_until_gone(" 17 ")
        self.assertTrue(self.selected(terminal).startswith("inner/"))
        terminal.press("i")
        terminal.wait_until_gone("── inspector ─")
        terminal.wait_for(" 17 ")

    def test_the_inspector_shows_that_the_former_data_stay_while_a_load_is_running(self):
        self.make("a", "b")
        terminal = self.browse(lag=100)
        terminal.wait_for("1 of 2")
        terminal.press("i", *"+" * 40)
        terminal.wait_for("inspector", "lag 4100 ms")
        terminal.press("f")
        terminal.wait_for("rows[1]: load started (refresh)")
        # The bar grows by itself, as long as the load is running.
        terminal.wait_until(lambda _: re.search("━{8}$", self.lane(terminal, "rows load")), "a bar that grows")
        self.assertRegex(self.lane(terminal, "rows data"), "▏value$")
        self.assertRegex(self.lane(terminal, "status"), "▏data$")
        terminal.press("c")
        terminal.wait_for("rows[1]: cancelled")
        self.assertRegex(self.lane(terminal, "rows load"), "━{8}○$")
        # Then nothing is running, and the time stands still.
        terminal.look(0.2)
        screen = terminal.screen.text
        terminal.look(0.3)
        self.assertEqual(terminal.screen.text, screen)

    def test_the_inspector_shows_what_is_superseded_and_cancelled_and_what_led_to_it(self):
        self.make("first/never-seen.txt", "second/seen.txt")
        terminal = self.browse(lag=300)
        terminal.wait_for("1 of 2")
        terminal.press("i")
        terminal.wait_for("inspector")
        terminal.press("enter", "j", "enter")
        terminal.wait_for("top/second", "seen.txt", "1 of 1")
        self.assertRegex(self.lane(terminal, "folder load"), "⊘━+●")
        terminal.wait_until(
            lambda _: re.search(
                r"^#\d+ screen: .* ← #\d+ screen: will transition to data.* ← #\d+ screen: status data "
                r"← #\d+ folder: answered ← #\d+ folder: load started \(reload\)$", self.why(terminal)),
            "the chain of causes")
        terminal.press(*"+" * 30)
        terminal.wait_for("lag 3300 ms")
        terminal.press("r")
        terminal.wait_for("Opening second")
        terminal.press("c")
        terminal.wait_for("seen.txt")
        terminal.wait_until(lambda _: self.lane(terminal, "folder load").endswith("━○"), "the cancelled load")
        self.assertFalse(terminal.has_seen("never-seen.txt"))

    def test_an_entry_of_the_inspector_can_be_selected(self):
        self.make("a", "b")
        terminal = self.browse()
        terminal.wait_for("1 of 2")
        terminal.press("i")
        terminal.wait_for("inspector", "screen: did transition from loading")
        last = int(re.search(r"entry #(\d+) of", terminal.screen.text)[1])
        terminal.press(",")
        terminal.wait_for(f"entry #{last - 1} of", f"#{last - 1} screen: ")
        terminal.press(",", ",")
        terminal.wait_for(f"entry #{last - 3} of")
        # Another entry does not change the selection.
        terminal.press("f")
        terminal.wait_until(
            lambda screen: int(re.search(r"entry #\d+ of (\d+)", screen.text)[1]) > last + 1, "further entries")
        self.assertIn(f"entry #{last - 3} of", terminal.screen.text)
        terminal.press(*"," * 100)
        terminal.wait_for("entry #1 of", "#1 folder: attached: idle")
        terminal.press(*"." * 100)
        terminal.wait_for("rows[1]: answered")

    def test_the_time_axis_is_panned_to_the_selected_entry_and_zoomed_and_pauses_are_marked(self):
        self.make("a", "b")
        terminal = self.browse()
        terminal.wait_for("1 of 2")
        terminal.press("i")
        terminal.wait_for("── inspector ─")
        for _ in range(8):
            terminal.wait_until_quiet()
            # A pause that is left out.
            time.sleep(0.3)
            terminal.press("r")
        terminal.wait_until_quiet()
        self.assertIn("⋯", terminal.screen.text)
        self.assertNotIn("▏0 s", terminal.screen.text)
        terminal.press(*"," * 300)
        terminal.wait_for("entry #1 of", "▲")
        axis = next(line for line in terminal.screen.lines if "▲" in line)
        self.assertEqual(axis.index("▲"), 14, terminal.screen.text)
        before = terminal.screen.text
        terminal.press(">", ">")
        terminal.wait_until(lambda screen: screen.text != before, "a larger axis")
        terminal.press("<", "<")
        terminal.wait_until(lambda screen: screen.text == before, "the axis as it was")

    def test_the_inspector_continues_when_the_journal_removes_entries(self):
        self.make("a")
        terminal = self.browse()
        terminal.wait_for("1 of 1")
        terminal.press("i")
        terminal.wait_for("inspector")
        # How many entries a key makes depends on how fast the folder is read.
        for _ in range(2_000):
            if " dropped " in terminal.screen.text:
                break
            terminal.press("f", "r")
            terminal.look(0.005)
        terminal.wait_for(" dropped ")
        terminal.wait_until_quiet()
        terminal.press(*"," * 600)
        terminal.wait_until(
            lambda screen: re.search(r"entry #(\d+) of \d+, (\d+) dropped", screen.text) and (
                lambda first, dropped: int(first) == int(dropped) + 1)(
                    *re.search(r"entry #(\d+) of \d+, (\d+) dropped", screen.text).groups()), "the first entry that is kept")

    def test_the_inspector_fits_into_every_terminal_that_the_browser_fits_into(self):
        self.make(*(f"{number:02}" for number in range(40)))
        terminal = self.browse(columns=40, rows=20)
        terminal.wait_for("1 of 40")
        terminal.press("i")
        terminal.wait_for("── inspector ─", "▸ 00", "i inspect")
        # In long words, unless it was seen that a load was running or cancelled, as that of details whose row is no longer
        # there: these signs make the legend too long for them.
        terminal.wait_until(
            lambda screen: re.search(
                r"● answered +◇ will +◆ did +▲ selected|(━run )?●ok (○cancel )?◇will ◆did ▲this", screen.text),
            "the legend in words that fit")
        self.assertRegex(self.lane(terminal, "container"), "◆data")
        terminal.resize(40, 17)
        terminal.wait_for("── inspector ─", "▸ 00", "#", " 02 ")
        terminal.resize(40, 16)
        terminal.wait_for("The inspector needs 17 rows", "▸ 00", " 06 ")
        terminal.resize(30, 16)
        terminal.wait_for("Too small: 30×16")
        terminal.resize(120, 40)
        terminal.wait_for("── inspector ─", "▸ 00", " 19 ", "● answered")
        terminal.press("i")
        terminal.wait_for(" 34 ")
        terminal.wait_until_gone("inspector")

    def test_the_inspector_does_without_colours(self):
        self.make("file.txt")
        terminal = self.browse(environment={"NO_COLOR": "1"})
        terminal.wait_for("file, 0 B")
        terminal.press("i")
        terminal.wait_for("── inspector ─", "◆data", "▏FolderList")
        self.assertNotRegex(terminal.raw, rb"\x1b\[[0-9;]*3[0-9]m")

    def test_the_inspector_is_drawn_in_ascii_where_the_locale_has_another_character_set(self):
        self.make("file.txt")
        terminal = self.browse(environment={"LC_ALL": "de_DE.ISO-8859-1"})
        terminal.wait_for("file, 0 B")
        terminal.press("i")
        terminal.wait_for("-- inspector -", "o answered  < will  > did  ^ selected")
        self.assertNotIn("?", terminal.screen.text)
