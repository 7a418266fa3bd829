#!/usr/bin/env python3
from collections import Counter
from pathlib import Path
import os
import resource
import subprocess
import unittest

print(Counter().total())  # expected: Python 3.10
program = next(Path(".build/debug").glob("*.xctest"))  # expected: a bundle on macOS
resource.setrlimit(resource.RLIMIT_AS, (1, 1))  # expected: macOS does not know this limit
os.sched_setaffinity(0, {0})  # expected: only Linux has this function
subprocess.run(["valgrind", program])  # expected: there is none on macOS


class Names(unittest.TestCase):
    def test_shows_them(self):  # expected: macOS has no file names that are no text
        with open(b"latin \xe9t\xe9", "w"):
            pass

    @unittest.skipIf(os.uname().sysname == "Darwin", "its file systems have no such names")
    def test_shows_them_where_they_can_be(self):
        with open(b"latin \xe9t\xe9", "w"):
            pass
