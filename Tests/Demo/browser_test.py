"""The browser, as a person uses it: on a pseudo-terminal, with real folders."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import unittest
from random import Random

from terminal import EXECUTABLE, SECONDS, Terminal

BODY_ROWS = 24 - 5
SPARE_CELLS = 8


class BrowserTest(unittest.TestCase):
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
        terminal = Terminal("browse", "--lag", str(lag), *options, path or self.top, **settings)
        self.addCleanup(terminal.__exit__)
        return terminal

    def selected(self, terminal):
        return [line for line in terminal.screen.lines if line.startswith("▸")][0][2:]

    # Opening and moving

    def test_shows_a_folder_with_folders_first_and_details_for_each_row(self):
        self.make("b.txt", "a.txt", "z/one", "z/two", "empty/")
        with open(os.path.join(self.top, "a.txt"), "w") as file:
            file.write("x" * 1234)
        os.symlink("nowhere", os.path.join(self.top, "link"))
        terminal = self.browse()
        terminal.wait_for("folder, 0 entries", "folder, 2 entries", "file, 1.2 kB", "file, 0 B", "1 of 5")
        names = [line[2:].split("  ")[0] for line in terminal.screen.lines[2:7]]
        self.assertEqual(names, ["empty/", "z/", "a.txt", "b.txt", "link@"])
        self.assertIn(self.top, terminal.screen.line(1))

    def test_moves_with_arrows_and_letters(self):
        self.make(*(f"{number:02}" for number in range(50)))
        terminal = self.browse()
        terminal.wait_for("1 of 50")
        for key, position in [
            ("down", 2), ("j", 3), ("up", 2), ("k", 1), ("k", 1), ("page down", 1 + BODY_ROWS), ("page up", 1),
            ("end", 50), ("j", 50), ("home", 1),
        ]:
            terminal.press(key)
            terminal.wait_for(f"{position} of 50")
            self.assertEqual(self.selected(terminal).split()[0], f"{position - 1:02}")

    def test_understands_keys_that_arrive_in_pieces(self):
        self.make("a", "b", "c")
        terminal = self.browse()
        terminal.wait_for("1 of 3")
        terminal.send("\x1b")
        terminal.send("[")
        terminal.send("B\x1b[1;2")
        terminal.wait_for("2 of 3")
        terminal.send("B")
        terminal.wait_for("3 of 3")

    def test_opens_and_goes_up_and_finds_its_place_again(self):
        self.make("a/", "inner/deep/file.txt", "z/")
        terminal = self.browse()
        terminal.wait_for("1 of 3")
        terminal.press("j", "enter")
        terminal.wait_for("top/inner", "deep/")
        terminal.press("l")
        terminal.wait_for("inner/deep", "file.txt")
        terminal.press("backspace")
        terminal.wait_for("deep/", "1 of 1")
        terminal.press("left")
        terminal.wait_for("2 of 3")
        self.assertTrue(self.selected(terminal).startswith("inner/"))

    # States

    def test_an_empty_folder_has_a_panel_of_its_own(self):
        self.make("empty/")
        terminal = self.browse()
        terminal.wait_for("empty/")
        terminal.press("enter")
        terminal.wait_for("This folder is empty.", "try again", "did data → noData")
        self.make("empty/found.txt")
        terminal.press("f")
        terminal.wait_for("found.txt", "did noData → data")
        os.remove(os.path.join(self.top, "empty/found.txt"))
        terminal.press("f")
        terminal.wait_for("This folder is empty.", "did data → noData")

    def test_an_error_is_real_and_a_reload_gets_over_it(self):
        os.symlink("target", os.path.join(self.top, "dangling"))
        terminal = self.browse()
        terminal.wait_for("dangling@")
        terminal.press("enter")
        terminal.wait_for("No such file or directory: dangling", "try again", "did data → error")
        self.make("target/found.txt")
        terminal.press("r")
        terminal.wait_for("found.txt", "top/dangling", "did")

    def test_a_file_has_a_preview_and_the_list_stays(self):
        self.make("empty.txt", "notes.txt", "other.bin")
        with open(os.path.join(self.top, "notes.txt"), "w") as file:
            file.write("\nBuy \x1b[2Jbread.\nCall home.\n")
        with open(os.path.join(self.top, "other.bin"), "wb") as file:
            file.write(b"\0\1\2")
        terminal = self.browse()
        for expected in ["empty.txt, file, 0 B: empty", "notes.txt, file, 27 B: “Buy \\u{1B}[2Jbread.”",
                         "other.bin, file, 3 B: not a text"]:
            terminal.wait_for("of 3")
            terminal.press("enter")
            terminal.wait_for(expected, "of 3", "▸ " + expected.split(",")[0])
            terminal.press("j")
            if not expected.startswith("other"):
                terminal.wait_until_gone(expected)
        self.assertFalse(terminal.has_seen("data → error"))

    def test_going_up_from_an_error_brings_the_rows_back_at_once(self):
        self.make("notes.txt")
        os.symlink("nowhere", os.path.join(self.top, "other"))
        terminal = self.browse()
        terminal.wait_for("1 of 2")
        terminal.press("j", "enter")
        terminal.wait_for("No such file or directory: other")
        # Slow from here on: what is displayed at once was not requested again.
        terminal.press(*"+" * 50)
        terminal.wait_for("lag 5000 ms")
        terminal.press("backspace")
        terminal.wait_for("did error → data", "2 of 2")

    def test_an_error_has_its_reason_first_in_the_space_that_there_is(self):
        name = "a very long name " * 8
        os.symlink("nowhere", os.path.join(self.top, name))
        terminal = self.browse(columns=40, rows=10)
        terminal.wait_for("1 of 1")
        terminal.press("enter")
        terminal.wait_for("✗ No such file or directory: a", "very long name a very long name a")

    def test_the_spinner_comes_for_slow_answers_only(self):
        self.make("inner/file.txt")
        terminal = self.browse(lag=40)
        terminal.wait_for("inner/")
        terminal.press("enter")
        terminal.wait_for("file.txt")
        self.assertFalse(terminal.has_seen("Opening"), "a quick answer has made the spinner flicker")
        terminal.press(*"+" * 4)
        terminal.wait_for("lag 440 ms")
        terminal.press("backspace")
        terminal.wait_for("Opening top")
        terminal.wait_for("inner/")

    # What is under way

    def test_of_two_folders_opened_quickly_the_latest_wins(self):
        self.make("first/never-seen.txt", "second/seen.txt")
        terminal = self.browse(lag=200)
        terminal.wait_for("1 of 2")
        terminal.press("enter", "j", "enter")
        terminal.wait_for("top/second", "seen.txt", "1 of 1")
        self.assertFalse(terminal.has_seen("never-seen.txt"))

    def test_cancel_brings_back_what_was_on_show(self):
        self.make("inner/file.txt")
        terminal = self.browse(lag=100)
        terminal.wait_for("1 of 1")
        terminal.press(*"+" * 40)
        terminal.wait_for("lag 4100 ms")
        terminal.press("r")
        terminal.wait_for("Opening top", "did data → loading")
        terminal.press("c")
        terminal.wait_for("did loading → data", "inner/", "1 of 1")
        terminal.press("enter")
        terminal.wait_for("Opening inner", "top/inner")
        terminal.press("c")
        terminal.wait_for("did loading → data", "inner/", "1 of 1")
        self.assertNotIn("top/inner", terminal.screen.text)

    def test_cancel_before_anything_is_known_says_so(self):
        self.make("file.txt")
        terminal = self.browse(lag=60_000)
        terminal.wait_for("Opening top")
        terminal.press("c")
        terminal.wait_for("This folder was not read.")

    def test_a_refresh_keeps_the_rows_and_the_selection(self):
        self.make("b", "c", "d")
        terminal = self.browse(lag=300)
        terminal.wait_for("1 of 3")
        terminal.press("j")
        terminal.wait_for("2 of 3")
        self.make("a")
        os.remove(os.path.join(self.top, "d"))
        seen = len(terminal.history)
        terminal.press("f")
        terminal.wait_for("loading …")
        terminal.wait_for("3 of 3", " a ")
        self.assertTrue(self.selected(terminal).startswith("c"))
        for screen in terminal.history[seen:]:
            self.assertIn("▸ c", screen)
            self.assertNotIn("data → loading", screen)

    def test_a_refresh_refreshes_the_details_of_the_rows_too(self):
        self.make("notes.txt")
        terminal = self.browse()
        terminal.wait_for("file, 0 B")
        with open(os.path.join(self.top, "notes.txt"), "w") as file:
            file.write("x" * 7)
        seen = len(terminal.history)
        terminal.press("f")
        terminal.wait_for("file, 7 B")
        for screen in terminal.history[seen:]:
            self.assertRegex(screen, "file, [07] B", "the details have not stayed")

    def test_a_cancel_ends_the_details_of_the_rows_too(self):
        self.make("inner/", "notes.txt")
        terminal = self.browse(lag=100)
        terminal.wait_for("1 of 2")
        terminal.press(*"+" * 40)
        terminal.wait_for("lag 4100 ms")
        # Rows that appear again request their details again.
        terminal.press("r")
        terminal.wait_for("Opening top")
        terminal.press("c")
        terminal.wait_until(lambda screen: re.search(r"notes\.txt +…", screen.text), "details that are loading")
        terminal.press("c")
        terminal.wait_until(lambda screen: screen.text.count("not read") == 2, "details that are not read")

    def test_a_refresh_that_fails_is_said_beside_the_rows(self):
        self.make("inner/file.txt")
        terminal = self.browse()
        terminal.wait_for("inner/")
        terminal.press("enter")
        terminal.wait_for("file.txt")
        shutil.rmtree(os.path.join(self.top, "inner"))
        terminal.press("f")
        terminal.wait_for("No such file or directory: inner", "file.txt", "1 of 1")

    def test_faults_follow_from_the_seed(self):
        self.make("file.txt")

        def does_fail(seed):
            command = [EXECUTABLE, "browse", "--plain", "--lag", "0", "--faults", "--seed", str(seed), self.top]
            return subprocess.run(command, capture_output=True).returncode == 66

        seed = next(seed for seed in range(100) if does_fail(seed))
        terminal = self.browse("--faults", "--seed", str(seed))
        terminal.wait_for("The connection was lost", "faults on")
        terminal.press("e")
        terminal.wait_for("faults off")
        terminal.press("r")
        terminal.wait_for("file.txt")

    def test_the_lag_can_be_changed(self):
        terminal = self.browse(lag=100)
        terminal.wait_for("lag 100 ms", "faults off")
        terminal.press("+")
        terminal.wait_for("lag 200 ms")
        terminal.press("-", "-", "-")
        terminal.wait_for("lag 0 ms")

    # Large folders

    def test_a_large_folder_comes_in_pages(self):
        self.make(*(f"{number:04}" for number in range(1200)))
        terminal = self.browse()
        terminal.wait_for("1 of 500+")
        for _ in range(24):
            terminal.press("page down")
        terminal.wait_for(f"{1 + 24 * BODY_ROWS} of 1000+")

    def test_end_is_the_last_row_however_many_pages_that_takes(self):
        self.make(*(f"{number:04}" for number in range(2200)))
        terminal = self.browse(lag=30)
        terminal.wait_for("1 of 500+")
        terminal.press("end")
        terminal.wait_for("1000 of 1000+ …")
        terminal.wait_for("2200 of 2200", "▸ 2199")
        terminal.wait_until_gone("…")

    def test_a_cancel_ends_the_way_to_the_last_row(self):
        self.make(*(f"{number:04}" for number in range(2200)))
        terminal = self.browse(lag=200)
        terminal.wait_for("1 of 500+")
        terminal.press("end")
        terminal.wait_for("+ …")
        terminal.press("c")
        terminal.wait_until_gone("+ …")
        terminal.look(0.5)
        self.assertNotIn("2200", terminal.screen.text)

    def test_fifty_thousand_files_need_no_more_cells_than_rows(self):
        for number in range(50_000):
            os.mknod(os.path.join(self.top, f"{number:05}"))
        terminal = self.browse()
        terminal.wait_for("1 of 500+", "file, 0 B")
        terminal.press("end")
        # A hundred pages, and a difference of the list for each.
        terminal.wait_for("50000 of 50000", "▸ 49999", deadline=60)
        for _ in range(20):
            terminal.press("page up")
        terminal.wait_for(f"{50_000 - 20 * BODY_ROWS} of 50000")
        counts = [int(count) for screen in terminal.history for count in re.findall(r"(\d+) cells", screen)]
        self.assertLessEqual(max(counts), BODY_ROWS + SPARE_CELLS)
        self.assertGreaterEqual(max(counts), BODY_ROWS)

    # The inspector

    def lane(self, terminal, name):
        """What is drawn of a lane, behind its name."""
        lines = [line for line in terminal.screen.lines if line.startswith(f" {name} ") or line == f" {name}"]
        self.assertEqual(len(lines), 1, terminal.screen.text)
        return lines[0][14:]

    def why(self, terminal):
        """The selected entry and its causes, in one line."""
        lines = terminal.screen.lines
        legend = next(row for row, line in enumerate(lines) if "⊘" in line and "◆" in line and "◇" in line)
        return " ".join(line.strip() for line in lines[legend + 1:-3] if line).strip()

    def test_the_inspector_has_lanes_for_data_status_container_and_children(self):
        self.make("inner/", *(f"{number:02}" for number in range(40)))
        terminal = self.browse(lag=100)
        terminal.wait_for("1 of 41", " 17 ", "i inspect")
        terminal.press("i")
        terminal.wait_for("── inspector ─", "━ running  ● answered  ✗ failed  ○ cancelled  ⊘ superseded  ◇ will  ◆ did")
        names = ["folder load", "folder data", "rows load", "rows data", "status", "container", "children"]
        first = next(row for row, line in enumerate(terminal.screen.lines) if "inspector" in line and "──" in line) + 1
        for name, line in zip(names, terminal.screen.lines[first:]):
            self.assertEqual(line[1:13].strip(), name)
        self.assertRegex(self.lane(terminal, "folder load"), "━+●")
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
        terminal.press("f")
        terminal.wait_for("rows[", "answered")
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
        terminal.wait_for("── inspector ─", "━run ●ok ✗fail ○cancel ⊘old ◇will ◆did", "▸ 00", "i inspect")
        self.assertRegex(self.lane(terminal, "container"), "◆data")
        terminal.resize(40, 17)
        terminal.wait_for("── inspector ─", "▸ 00", "#", " 02 ")
        terminal.resize(40, 16)
        terminal.wait_for("The inspector needs 17 rows", "▸ 00", " 06 ")
        terminal.resize(30, 16)
        terminal.wait_for("Too small: 30×16")
        terminal.resize(120, 40)
        terminal.wait_for("── inspector ─", "▸ 00", " 19 ", "━ running")
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
        terminal.wait_for("-- inspector -", "= running  o answered  x failed  c cancelled  / superseded  < will  > did")
        self.assertNotIn("?", terminal.screen.text)

    # Names

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

    # The terminal

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
        terminal.resize(4, 2)
        terminal.wait_until(lambda screen: screen.lines == ["Too…", ""], "as much of it as there is room for")
        terminal.resize(80, 24)
        terminal.wait_for("40 of 40", "▸ 39", "quit")

    def assert_restored(self, terminal):
        self.assertEqual(termios.tcgetattr(terminal.slave), terminal.attributes)
        self.assertFalse(terminal.screen.is_alternate)
        self.assertTrue(terminal.screen.is_cursor_visible)
        self.assertTrue(terminal.screen.does_wrap)
        self.assertEqual(terminal.screen.text.strip(), "")

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

    # Everything at once

    def test_whatever_is_pressed_it_stays_a_browser(self):
        self.make(*(f"folder {number}/{name}" for number in range(30) for name in ["a.txt", "b.txt", "deep/c.txt"]))
        self.make("empty/", *(f"file {number}" for number in range(700)))
        os.symlink("nowhere", os.path.join(self.top, "dangling"))
        commands = ["j", "k", "h", "l", "r", "f", "c", "e", "i", ",", ".", "+", "-", "enter", "backspace", "page down", "page up", "end",
                    "home", "\x1b", "\x1b[Z", "é", "\x00"]
        for seed in range(3):
            with self.subTest(seed):
                random = Random(seed)
                terminal = self.browse("--seed", str(seed), lag=20)
                terminal.wait_for("of 500+")
                for _ in range(150):
                    terminal.press(*random.choices(commands, k=random.randint(1, 6)))
                    if random.random() < 0.1:
                        terminal.resize(random.randint(30, 120), random.randint(5, 24))
                    terminal.look(random.random() * 0.02)
                terminal.resize(80, 24)
                terminal.press("home")
                terminal.wait_for("quit")
                terminal.press("q")
                self.assertEqual(terminal.wait_for_exit(), 0)
                self.assert_restored(terminal)
                counts = [int(count) for screen in terminal.history for count in re.findall(r"(\d+) cells", screen)]
                self.assertLessEqual(max(counts), BODY_ROWS + SPARE_CELLS)

    def test_whatever_is_pressed_and_however_it_is_stopped_it_stays_a_browser(self):
        self.make(*(f"folder {number}/{name}" for number in range(30) for name in ["a.txt", "b.txt", "deep/c.txt"]))
        self.make("empty/", *(f"file {number}" for number in range(700)))
        terminal = self.browse(lag=20, job="foreground")
        terminal.wait_for("of 500+")
        keys = ["j", "k", "h", "l", "r", "f", "c", "e", "i", ",", ".", "+", "-", "enter", "backspace", "page down", "page up", "end",
                "home", "\x1b", "\x1b[Z", "é", "\x00"]
        terminal.use_at_random(Random(3), keys, SECONDS, self.assert_restored)
        terminal.press("home")
        terminal.wait_for("quit")
        terminal.press("q")
        self.assertEqual(terminal.wait_for_exit(), 0)
        self.assert_restored(terminal)

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


if __name__ == "__main__":
    unittest.main()
