#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lives of the demo at random: `Tests/Demo/lives_test.py PATH-TO-EXECUTABLE [SECONDS] [SEED]`, by default 300 seconds.

A life is the tour on a terminal of 1 to 200 columns, with random keys, sizes and signals, with stops and
jobs in the background, until it is ended in one of many ways. Whatever happens, it does not crash, writes nothing past the
right edge, ends as requested, and leaves the terminal as it was.

The same seed makes the same lives, as far as the speed of the machine lets it. With a seed, that life is the first.
"""

import os
import signal
import sys
import termios
import time
from random import Random

if len(sys.argv) not in (2, 3, 4) or not os.access(sys.argv[1], os.X_OK):
    sys.exit(__doc__)
os.environ["ASYNCSTATE_DEMO"] = os.path.abspath(sys.argv[1])
os.environ.pop("NO_COLOR", None)
sys.dont_write_bytecode = True

from cases import SCENES  # noqa: E402
from terminal import EXECUTABLE, KEYS, Terminal  # noqa: E402

# The tallest terminal of a life.
TALLEST = 61

SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 300
FIRST_SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1

# Without those that end it. Enter after the last scene ends the tour, too, so it is seldom.
KEYS_OF_THE_TOUR = ["r", "p", " ", "+", "-", "x", "\t", "é", "\x00", "enter"] + ["backspace", "left", "h"] * 2
# Sequences that are cut off, unknown or no UTF-8, and what a terminal sends for a mouse, a focus and a paste.
ODD_KEYS = [b"\x1b", b"\x1b[", b"\x1b[Z", b"\x1b[1;5C", b"\x1bOA", b"\xff", b"\xc3", b"\xf0\x9f", b"\x1b[M !!", b"\x1b[I",
            b"\x1b[200~j\x1b[201~", b"\x1b[9999999999999999999~", b"\x1b[" + b";" * 300]
# What a signal that ends the process makes of its status.
ENDINGS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2, signal.SIGPIPE,
           signal.SIGALRM]


class Life:
    def __init__(self, seed):
        self.random = random = Random(seed)
        columns, rows = self.size()
        options = ["--speed", str(random.choice([0.5, 3, 50]))]
        if random.random() < 0.5:
            options += ["--scene", ",".join(random.sample(SCENES, random.randint(1, 3)))]
        environment = random.choice([{}, {}, {"NO_COLOR": "1"}, {"LC_ALL": "de_DE.ISO-8859-1"}])
        self.job = random.choice([None, "foreground", "foreground", "background"])
        self.log = [f"{'job in the ' + self.job if self.job else 'alone'}: {options} {environment} {columns}×{rows}"]
        self.terminal = Terminal(*options, columns=columns, rows=rows, environment=environment, job=self.job,
                                 does_echo=False)

    def size(self):
        return self.random.choice([1, 2, 3, 5, 20, 40, 80, 200, self.random.randint(1, 200)]), self.random.randint(1, 60)

    def note(self, text):
        self.log.append(text)

    def live(self):
        with self.terminal:
            if self.job == "background":
                self.terminal.wait_for_stop()
                self.check(not self.terminal.raw, "a job in the background has written something")
                self.elsewhere()
                self.terminal.resume("foreground")
            self.terminal.wait_until(lambda screen: screen.is_alternate, "the first drawing")
            try:
                for _ in range(self.random.randint(0, 25)):
                    if self.has_ended():
                        break
                    self.act()
            except AssertionError:
                # Enter after the last scene ends the tour, and what was waited for does not happen.
                if not (self.has_ended() and self.status() == 0):
                    raise
            self.end()

    def check(self, condition, what):
        if not condition:
            raise AssertionError(f"{what}; on the screen is:\n{self.terminal.screen.text}")

    # What happens in a life

    def act(self):
        actions = [(self.keys, 40), (self.odd_keys, 8), (self.resize, 12), (self.many_sizes, 6), (self.winch, 4),
                   (self.be_slow, 3)]
        if self.job:
            actions += [(self.stop, 8), (self.continue_in_the_background, 5)]
        [action] = self.random.choices([action for action, _ in actions], [weight for _, weight in actions])
        self.note(action.__name__)
        action()
        self.terminal.look(self.random.random() * 0.05)

    def keys(self):
        keys = self.random.choices(KEYS_OF_THE_TOUR, k=self.random.randint(1, 8))
        self.note(f"  {keys}")
        self.terminal.press(*keys)

    def odd_keys(self):
        self.terminal.send(self.random.choice(ODD_KEYS))

    def resize(self):
        columns, rows = self.size()
        self.note(f"  {columns}×{rows}")
        self.terminal.resize(columns, rows)

    def many_sizes(self):
        """Sizes faster than it can draw. What it draws for one of these is not looked at."""
        self.terminal.screen.is_strict = False
        for _ in range(self.random.randint(2, 12)):
            columns, rows = self.size()
            self.terminal._set_size(columns, rows)
            self.terminal.look(self.random.random() * 0.01)
        self.be_drawn_again()

    def be_drawn_again(self):
        """With another size than the last drawing. From then on what it draws is looked at."""
        if not self.has_ended():
            columns = self.random.randint(1, 200)
            is_same = (columns, TALLEST) == (self.terminal.screen.columns, self.terminal.screen.rows)
            self.terminal.resize(columns % 200 + 1 if is_same else columns, TALLEST)
        self.terminal.screen.is_strict = True

    def winch(self):
        for process in self.processes():
            send(process, signal.SIGWINCH)

    def be_slow(self):
        """A terminal that is not read for a while, as one whose connection is slow."""
        self.terminal.press(*self.random.choices(["r", "+", "-"], k=30))
        time.sleep(0.1)

    def stop(self):
        how = self.random.choice(["key", signal.SIGTSTP, signal.SIGSTOP, signal.SIGTTIN])
        self.note(f"  {how!r}")
        if how == "key":
            self.terminal.press("control z")
        else:
            for process in self.processes():
                send(process, how)
        self.terminal.wait_for_stop(may_end=True)
        if self.has_ended():
            return
        if how in ("key", signal.SIGTSTP):
            self.check_restored()
        self.elsewhere()
        if self.random.random() < 0.2:
            columns, rows = self.size()
            # It may have been stopped between its look at the size and its drawing for that.
            self.terminal.screen.is_strict = False
            self.terminal.screen.resize(columns, rows)
            self.terminal._set_size(columns, rows)
        self.terminal.resume("foreground")
        self.terminal.wait_until(
            lambda screen: screen.is_alternate and screen.is_size_known or self.has_ended(), "a new drawing")
        if not self.terminal.screen.is_strict:
            self.be_drawn_again()

    def continue_in_the_background(self):
        """It waits for the foreground, whatever is typed for another job meanwhile."""
        how = self.random.choice([signal.SIGTSTP, signal.SIGSTOP])
        for process in self.processes():
            send(process, how)
        self.terminal.wait_for_stop(may_end=True)
        if self.has_ended():
            return
        self.elsewhere()
        is_before = self.random.random() < 0.5
        if is_before:
            self.terminal.send("ls\n")
        self.terminal.resume("background")
        if not is_before:
            self.terminal.send("ls\n")
        self.terminal.wait_for_stop(may_end=True)
        if self.has_ended():
            return
        self.elsewhere()
        self.terminal.resume("foreground")
        self.terminal.wait_until(lambda screen: screen.is_alternate or self.has_ended(), "a new drawing")

    def elsewhere(self):
        """What a shell and another job do meanwhile: they set the terminal up, type and read."""
        termios.tcsetattr(self.terminal.slave, termios.TCSANOW, self.terminal.attributes)
        if self.random.random() < 0.5:
            self.terminal.send("vi\n")
        termios.tcflush(self.terminal.slave, termios.TCIFLUSH)

    # How it ends

    def end(self):
        if self.has_ended():
            # Enter after the last scene.
            self.check(self.status() == 0, f"it has ended with {self.status()}")
            return self.check_restored()
        kinds = ["key", "control c", "signal", "hang up"]
        if self.job:
            kinds.append("signal while stopped")
        kind = self.random.choice(kinds)
        self.note(f"end: {kind}")
        if kind == "hang up":
            self.terminal.hang_up()
            status = self.status()
            return self.check(status in (0, 129, -signal.SIGHUP, 256 - signal.SIGHUP, 143), f"it has ended with {status}")
        if kind == "key":
            # The first may be the end of a sequence that was cut off.
            self.terminal.press("q", "q")
            expected = {0}
        elif kind == "control c":
            self.terminal.press("control c", "control c")
            expected = {130}
        else:
            number = self.random.choice(ENDINGS)
            self.note(f"  {number!r}")
            expected = {128 + number}
            if kind == "signal while stopped":
                self.terminal.press("control z")
                self.terminal.wait_for_stop(may_end=True)
                if not self.has_ended():
                    self.elsewhere()
                    for process in self.processes():
                        send(process, number)
                    self.terminal.resume("background")
                # It has no terminal to restore, so the signal may have its default effect.
                expected |= {256 - number}
            else:
                for process in self.processes():
                    send(process, number)
        # Keys that have not been looked at may be enter, after the last scene: then a signal may find nothing to restore.
        expected |= {0, *(128 - status for status in expected if status > 128)}
        status = self.status()
        self.check(status in expected, f"it has ended with {status} and not {expected}")
        self.check_restored()

    def processes(self):
        return self.terminal.children() if self.job else [self.terminal.process.pid]

    def has_ended(self):
        return self.terminal.has_job_ended or self.terminal.process.poll() is not None

    def status(self):
        return self.terminal.wait_for_exit()

    def check_restored(self):
        screen = self.terminal.screen
        self.check(not screen.is_alternate, "the alternate screen is still used")
        self.check(screen.is_cursor_visible, "the cursor is hidden")
        self.check(screen.does_wrap, "lines are not wrapped")
        self.check(termios.tcgetattr(self.terminal.slave) == self.terminal.attributes, "the modes are not restored")


def send(process, number):
    try:
        os.kill(process, number)
    except ProcessLookupError:
        pass


def live_without_output(seed):
    """With outputs that are closed, full, or closed by their reader, and without an input."""
    random = Random(seed)
    options = random.choice([["--speed", "1000"], ["--list"], ["--help"]])
    streams = random.choice([">&-", "<&-", "2>&-", ">&- 2>&-", "<&- >&-", "<&- >&- 2>&-", ">/dev/full", "| true", "| head -n 3",
                             ">&- </dev/null"])
    arguments = " ".join([f"'{EXECUTABLE}'", *options])
    with Terminal(executable=["bash", "-c", f"{arguments} {streams}; exit ${{PIPESTATUS[0]}}"], does_echo=False) as terminal:
        status = None
        end = time.monotonic() + 60
        while status is None and time.monotonic() < end:
            terminal._read(0.05)
            # Where it can use the terminal, it waits for a key.
            if terminal.screen.is_alternate:
                terminal.press("q")
            status = terminal.process.poll()
        if status not in (0, 74, 141):
            raise AssertionError(f"{arguments} {streams}: ended with {status}\n{terminal.screen.text}")


def main():
    failures, count = 0, 0
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and failures < 5:
        seed = FIRST_SEED + count
        count += 1
        life = None
        try:
            if Random(seed).random() < 0.1:
                live_without_output(seed)
            else:
                life = Life(seed)
                life.live()
        except (AssertionError, OSError) as error:
            failures += 1
            print(f"life {seed}: {error}")
            if life:
                print("  " + "\n  ".join(life.log))
    print(f"{count} lives, {failures} that failed")
    sys.exit(1 if failures else 0)


main()
