#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints laws of the contract, each with its cases: the names of the tests that prove it.

  Tests/lawtests.py              all laws
  Tests/lawtests.py 3.12 17      these, or those of a section

The name of a test begins with the numbers of what it proves. Fails where a law has no test.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

TESTS = Path(__file__).resolve().parent / "AsyncStateTests"
PACKAGE = TESTS.parent.parent
RANDOM = PACKAGE / "Tests" / "Random" / "Tests" / "RandomTests"
PLATFORMS = PACKAGE / "Tests" / "Platforms"
TOOLKIT = PACKAGE / "Tests" / "AsyncStateUITests"
SOURCES = PACKAGE / "Sources"
CONTRACT = SOURCES / "AsyncState" / "AsyncState.docc" / "Contract.md"
# The tables of these sections are laws, too.
TABLES = ["2", "4"]
# Its tables are compared with the code by a test, and its words explain their columns.
EVENTS = "Contract-Events.md"

TEST = re.compile(r'@Test\(\s*"((?:[^"\\]|\\.)*)"')
NUMBERS = re.compile(r"(\d+(?:\.\d+)?(?:, \d+(?:\.\d+)?)*) ")
LAW = re.compile(r"^#{2,3} (\d+(?:\.\d+)?) ([^\n]+)\n(.*?)(?=^#{1,3} |\Z)", re.MULTILINE | re.DOTALL)
REFERENCE = re.compile(r"(?<![\w.])[1-9]\d?\.\d{1,2}(?![\w.]*\w)")


class Law(NamedTuple):
    number: str
    title: str
    text: str
    page: Path

    @property
    def words(self):
        """The number of words; nil where a table says it, whose columns they explain."""
        return None if self.page.name == EVENTS else count_of_words(self.text)


def main():
    tests, chosen = tests_of_laws(), sys.argv[1:]
    if any(not re.fullmatch(r"\d+(\.\d+)?", number) for number in chosen):
        sys.exit(__doc__)
    printed = [law for law in laws() if not chosen or law.number in chosen or law.number.split(".")[0] in chosen]
    for law in printed:
        print(f"{law.number} {law.title}\n\n{law.text}\n")
        print(*(f"- {name}  [{path.name}]" for path, name in tests[law.number]), "", sep="\n")
    bare = [law.number for law in printed if not tests[law.number]]
    if bare or not printed:
        sys.exit(f"No test proves {', '.join(bare)}." if bare else "There is no such law.")


def tests_of_laws():
    """For each number, the tests that begin with it: the file and what is guaranteed."""
    tests = defaultdict(list)
    # What both packages use is a link in the second one.
    random = [path for path in sorted(RANDOM.glob("*/*.swift")) if not path.parent.is_symlink()]
    platforms = [*sorted(TOOLKIT.glob("*.swift")), *sorted(PLATFORMS.glob("Shared/*/*.swift")),
                 *(path for path in sorted(PLATFORMS.glob("*/Tests/*/*.swift")) if not path.is_symlink())]  # fmt: skip
    for path in [*sorted(TESTS.glob("**/*.swift")), *random, *platforms]:
        for name in TEST.findall(path.read_text()):
            numbers = NUMBERS.match(name)
            for law in numbers[1].split(", ") if numbers else []:
                tests[law].append((path, name[numbers.end():].replace('\\"', '"')))
    return tests


def pages():
    """The pages of the contract: that of what holds everywhere, those of the core, and those of the other modules."""
    return [CONTRACT, *sorted(SOURCES.glob("*/*.docc/**/Contract-*.md"))]


def laws():
    """The laws in the order of their numbers."""
    found = [
        Law(number, title, text.strip(), page) for page in pages() for number, title, text in LAW.findall(page.read_text())
        if "." in number or number in TABLES
    ]  # fmt: skip
    return sorted(found, key=lambda law: [int(part) for part in law.number.split(".")])


def references(page):
    """The laws that a page names in its prose and tables: the line of each and its number."""
    for line, text in enumerate(page.read_text().splitlines(), 1):
        for number in REFERENCE.findall(re.sub(r"`[^`]*`", "", text)):
            yield line, number


def count_of_words(text):
    """The words of prose and headings: neither of a table nor of a trace, and no number."""
    text = re.sub(r"(?ms)^## Topics$.*|^\|.*?$|^    .*?$|^```.*?^```", "", text)
    return len(re.findall(r"\S*[A-Za-z]\S*", text))


def pages_of_tests():
    """For each page of the contract with laws, the page of the tests that prove these."""
    tests, all_laws = tests_of_laws(), laws()
    for page in sorted({law.page for law in all_laws}):
        title = re.match(r"# (.+)", page.read_text())[1]
        lines = [f"# {title}: the tests", "", "The cases of each law, as the names of the tests that prove them.", ""]
        for law in all_laws:
            if law.page == page:
                names = sorted({name for _, name in tests[law.number]})
                lines += [f"## {law.number} {law.title}", "", *(f"- {plain(name)}" for name in names), ""]
        yield page, "\n".join(lines)


def plain(name):
    """Text in which no character is markup, but for code."""
    parts = re.split(r"(`[^`]*`)", name)
    return "".join(part if part.startswith("`") else re.sub(r"([\\*_<>\[\]#@])", r"\\\1", part) for part in parts)


if __name__ == "__main__":
    main()
