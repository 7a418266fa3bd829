# SPDX-License-Identifier: MIT
"""The browser, as a person uses it: on a pseudo-terminal, with real folders."""

import os
import re
import shutil
import subprocess
import time

from cases import BODY_ROWS, SPARE_CELLS, BrowserCase
from terminal import EXECUTABLE

# How long the browser's pacer waits before it displays a loading, in seconds.
SPINNER_DELAY = 0.2


class BrowserTest(BrowserCase):
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

    def test_a_pipe_is_not_opened_and_keeps_its_data_and_its_writer(self):
        pipe = os.path.join(self.top, "pipe")
        os.mkfifo(pipe)
        # Open for both, so that neither end waits for the other.
        end = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
        self.addCleanup(os.close, end)
        os.write(end, b"kept")
        terminal = self.browse()
        terminal.wait_for("1 of 1")
        terminal.press("enter")
        terminal.wait_for("not a regular file")
        self.assertEqual(os.read(end, 10), b"kept")

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
        before, start = len(terminal.history), time.monotonic()
        terminal.press("enter")
        terminal.wait_for("file.txt")
        # On a busy machine the answer may come late, and then the spinner is right.
        if time.monotonic() - start < SPINNER_DELAY:
            self.assertNotIn("Opening", "".join(terminal.history[before:]), "a quick answer has made the spinner flicker")
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
        terminal.wait_for("50000 of 50000", "▸ 49999")
        for _ in range(20):
            terminal.press("page up")
        terminal.wait_for(f"{50_000 - 20 * BODY_ROWS} of 50000")
        counts = [int(count) for screen in terminal.history for count in re.findall(r"(\d+) cells", screen)]
        self.assertLessEqual(max(counts), BODY_ROWS + SPARE_CELLS)
        self.assertGreaterEqual(max(counts), BODY_ROWS)
