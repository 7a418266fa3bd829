# SPDX-License-Identifier: MIT
"""Which tests prove which law: the name of a test begins with the numbers of what it proves."""

import re
from collections import defaultdict
from pathlib import Path

TESTS = Path(__file__).resolve().parent / "AsyncStateTests"
PLATFORMS = TESTS.parent.parent / "Platforms"
SOURCES = TESTS.parent.parent / "Sources"
CONTRACT = SOURCES / "AsyncState" / "AsyncState.docc" / "Contract.md"

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


def pages():
    """The pages of the contract: that of what holds everywhere, those of the core, and those of the other modules."""
    return [CONTRACT, *sorted(SOURCES.glob("*/*.docc/**/Contract-*.md"))]


def laws():
    """The laws as the contract has them, in order: number, heading and page of each. The tables of sections 2 and 4 are
    laws, too; other sections are not."""
    found = [
        (number, title, page) for page in pages()
        for number, title in re.findall(r"^#{2,3} (\d+(?:\.\d+)?) (.+)$", page.read_text(), re.MULTILINE)
        if "." in number or number in ["2", "4"]
    ]  # fmt: skip
    return sorted(found, key=lambda law: [int(part) for part in law[0].split(".")])
