# SPDX-License-Identifier: MIT
"""A person at a terminal: starts the demo on a pseudo-terminal, types, and looks at the screen."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time

from screen import Screen

EXECUTABLE = os.environ["ASYNCSTATE_DEMO"]
# After which a test stops waiting. What is waited for takes milliseconds, unless the machine builds something meanwhile.
DEADLINE = 60

KEYS = {
    "control z": "\x1a",
    "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "home": "\x1b[H", "end": "\x1b[F",
    "page up": "\x1b[5~", "page down": "\x1b[6~", "enter": "\r", "backspace": "\x7f", "control c": "\x03",
}


class Terminal:
    """One run of the demo on a terminal of its own."""

    def __init__(self, *arguments, columns=80, rows=24, environment=None, job=None, does_echo=True, executable=None):
        """`job` is None for a program without a shell, else "foreground" or "background".

        What is typed before the program has the terminal is echoed by the terminal, unless `does_echo` is false: then all
        that is read was written by the program.
        """
        self.screen = Screen(columns, rows)
        self.raw = b""
        self.master, self.slave = pty.openpty()
        self._set_size(columns, rows)
        self.has_job_ended = False
        if not does_echo:
            attributes = termios.tcgetattr(self.slave)
            attributes[3] &= ~termios.ECHO
            termios.tcsetattr(self.slave, termios.TCSANOW, attributes)
        self.attributes = termios.tcgetattr(self.slave)
        command, passed = executable or [EXECUTABLE, *arguments], []
        if job:
            commands, self.commands = os.pipe()
            self.reports, reports = os.pipe()
            passed = [commands, reports]
            jobs = os.path.join(os.path.dirname(os.path.abspath(__file__)), "jobs.py")
            command = [sys.executable, jobs, str(commands), str(reports), *command]
        variables = {**os.environ, "TERM": "xterm-256color", **(environment or {})}
        self.process = subprocess.Popen(
            command, stdin=self.slave, stdout=self.slave, stderr=self.slave, start_new_session=True, pass_fds=passed,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            env={name: value for name, value in variables.items() if value is not None})
        for descriptor in passed:
            os.close(descriptor)
        if job:
            os.write(self.commands, job[:1].encode())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.slave)
        if self.master is not None:
            os.close(self.master)

    # What a shell does

    def wait_for_stop(self, may_end=False):
        """Waits until the job has stopped, or ended if it may, and takes in all that it has written before."""
        end = time.monotonic() + DEADLINE
        while not select.select([self.reports], [], [], 0)[0]:
            if time.monotonic() > end:
                raise AssertionError(f"the job does not stop; on the screen is:\n{self.screen.text}")
            self._read(0.02)
        report = os.read(self.reports, 1)
        self.has_job_ended = report == b"e"
        if report != b"s" and not may_end:
            raise AssertionError(f"the job has ended and not stopped; on the screen is:\n{self.screen.text}")
        while self._read(0.05):
            pass

    def resume(self, where):
        os.write(self.commands, where[:1].encode())

    def children(self):
        """The process of the job."""
        output = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True).stdout
        return [int(line) for line in output.split()]

    # What a person does

    def press(self, *keys):
        self.send("".join(KEYS.get(key, key) for key in keys))

    def send(self, text):
        os.write(self.master, text.encode() if isinstance(text, str) else text)

    def resize(self, columns, rows):
        """Makes the terminal another size, and waits until the program has taken notice."""
        if (columns, rows) == (self.screen.columns, self.screen.rows):
            return
        # A drawing that is still on its way has the former size, and would pass for the new one. Bounded, because a
        # scene that plays draws all the time.
        end = time.monotonic() + 1
        while time.monotonic() < end and self._read(0.1):
            pass
        self.screen.resize(columns, rows)
        self._set_size(columns, rows)
        self.wait_until(lambda screen: screen.is_size_known, "the screen to be drawn anew")

    def hang_up(self):
        os.close(self.master)
        self.master = None

    # What a person sees

    def wait_until(self, condition, what):
        """Looks at the screen until `condition` holds for it, but not for ever."""
        end = time.monotonic() + DEADLINE
        while not condition(self.screen):
            if self._read(0.5):
                continue
            if time.monotonic() > end or self.process.poll() is not None and not self._read(0):
                raise AssertionError(f"waited in vain for {what}; on the screen is:\n{self.screen.text}")

    def wait_for(self, *texts):
        self.wait_until(
            lambda screen: all(text in screen.text for text in texts), " and ".join(map(repr, texts)))

    def wait_until_quiet(self):
        """Waits until nothing is written for a while, as a person does before the next key."""
        end = time.monotonic() + DEADLINE
        while self._read(0.3):
            if time.monotonic() > end:
                raise AssertionError(f"the program does not rest; on the screen is:\n{self.screen.text}")

    def wait_for_exit(self):
        """Lets the program end, and takes in all that it still writes."""
        end = time.monotonic() + DEADLINE
        while self.process.poll() is None:
            if time.monotonic() > end:
                raise AssertionError(f"the program does not end; on the screen is:\n{self.screen.text}")
            if self.master is not None:
                self._read(0.05)
            else:
                try:
                    self.process.wait(0.05)
                except subprocess.TimeoutExpired:
                    pass
        while self.master is not None and self._read(0.05):
            pass
        return self.process.returncode

    def look(self, seconds):
        """Looks at the screen for so long at most."""
        self._read(seconds)

    def _read(self, seconds):
        ready, _, _ = select.select([self.master], [], [], max(seconds, 0))
        if not ready:
            return False
        data = os.read(self.master, 65536)
        self.raw += data
        self.screen.feed(data)
        return bool(data)

    def _set_size(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
