# SPDX-License-Identifier: MIT
"""Which tests prove which law: the name of a test begins with the numbers of what it proves."""

import re
from collections import defaultdict
from pathlib import Path

TESTS = Path(__file__).resolve().parent / "AsyncStateTests"
PLATFORMS = TESTS.parent.parent / "Platforms"
CONTRACT = TESTS.parent.parent / "Sources" / "AsyncState" / "AsyncState.docc" / "Contract.md"

TEST = re.compile(r'@Test\(\s*"((?:[^"\\]|\\.)*)"')
NUMBERS = re.compile(r"(\d+(?:\.\d+)?(?:, \d+(?:\.\d+)?)*) ")


def tests_of_laws():
    """For each number, the tests that begin with it: the file and what is guaranteed."""
    tests = defaultdict(list)
    for path in [*sorted(TESTS.glob("**/*.swift")), *sorted(PLATFORMS.glob("*/Tests/**/*.swift"))]:
        for name in TEST.findall(path.read_text()):
            numbers = NUMBERS.match(name)
            for law in numbers[1].split(", ") if numbers else []:
                tests[law].append((path, name[numbers.end():].replace('\\"', '"')))
    return tests


def laws():
    """The laws as the contract has them, in order: the number and the heading of each. The tables of sections 2 and 4 are
    laws, too; other sections are not."""
    headings = re.findall(r"^#{2,3} (\d+(?:\.\d+)?) (.+)$", CONTRACT.read_text(), re.MULTILINE)
    return [(number, title) for number, title in headings if "." in number or number in ["2", "4"]]
