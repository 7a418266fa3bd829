# SPDX-License-Identifier: MIT
"""The pages that a person reads: the one list of them, and what holds of each.

Documentation/order.txt has the order. A line of it that is only `1. PATH.md` or `- PATH.md` becomes a link with the title of that
page, its first sentence and its minutes; `{minutes}` is the sum of the numbered ones; all else stands as it is.

No doc comment has the number of a law, either: Quick Help displays it.
"""

import functools
import re
from pathlib import Path

import language
import lawtests

PACKAGE = lawtests.PACKAGE
FOLDER = PACKAGE / "Documentation"
LIST = FOLDER / "README.md"
ORDER = FOLDER / "order.txt"

WORDS_OF_A_PAGE = 800
# Of those before the reference.
WORDS_OF_ALL_ARTICLES = 12_000
WORDS_OF_A_SENTENCE = 25
LINES_OF_THE_README = 105
WORDS_A_MINUTE = 200
PAGES_OF_THE_FIRST_HOUR = 5
MINUTES_OF_THE_FIRST_HOUR = 20

ENTRY = re.compile(r"(1\.|-) (\S+\.md)")


# The one list


def listed():
    """The text of Documentation/README.md. An entry whose page does not exist is left out: `findings_of_the_list` says so."""
    lines, minutes, number = [], 0, 0
    for line in ORDER.read_text().splitlines():
        entry = ENTRY.fullmatch(line)
        if entry and (PACKAGE / entry[2]).exists():
            page = PACKAGE / entry[2]
            title, sentence, time = summary(page)
            if entry[1] == "1.":
                minutes, number = minutes + time, number + 1
            mark, link = f"{number}." if entry[1] == "1." else "-", relative(page)
            lines.append(f"{mark} [{title}]({link}): {sentence} *{time} {'minute' if time == 1 else 'minutes'}*")
        elif not entry:
            lines.append(line.replace("{minutes}", str(minutes)))
    note = "<!-- Made by `Documentation/check --write` from Documentation/order.txt. -->"
    return "\n".join([lines[0], "", note, *lines[1:]]) + "\n"


def relative(page):
    path = page.relative_to(PACKAGE)
    return str(path.relative_to("Documentation")) if path.parts[0] == "Documentation" else f"../{path}"


def summary(page):
    """A page's title, its first sentence, and how many minutes it takes to read."""
    text = page.read_text()
    title = re.search(r"(?m)^# (.+)$", text)[1].replace("`", "")
    first = next(paragraph for paragraph in paragraphs(text) if not paragraph.startswith(("#", "<", "|", "!", "```")))
    sentence = re.split(r"(?<=[.!?:])\s", first, maxsplit=1)[0].replace("``", "`")
    sentence = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", sentence)
    return title, re.sub(r":$", ".", sentence), max(1, round(len(text.split()) / WORDS_A_MINUTE))


def paragraphs(text):
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", text) if part.strip()]


def findings_of_the_list():
    entries = [entry[2] for line in ORDER.read_text().splitlines() if (entry := ENTRY.fullmatch(line))]
    linked = re.findall(r"\]\(([^)#\s]+\.md)\)", ORDER.read_text())
    linked = [str((FOLDER / link).resolve().relative_to(PACKAGE)) for link in linked]
    for path in sorted({*entries, *linked}):
        if not (PACKAGE / path).exists():
            yield f"{ORDER.relative_to(PACKAGE)}:1: {path} is not there: it has moved, or has another name"
        if entries.count(path) > 1:
            yield f"{ORDER.relative_to(PACKAGE)}:1: {path} stands there twice"
    for path in pages_of_the_list():
        if path not in entries and path not in linked:
            yield f"{ORDER.relative_to(PACKAGE)}:1: {path} is missing"
    first = [PACKAGE / entry[2] for line in ORDER.read_text().splitlines() if (entry := ENTRY.fullmatch(line)) and entry[1] == "1."]
    minutes = sum(summary(page)[2] for page in first if page.exists())
    if len(first) > PAGES_OF_THE_FIRST_HOUR or minutes > MINUTES_OF_THE_FIRST_HOUR:
        yield f"{ORDER.relative_to(PACKAGE)}:1: the first hour has {len(first)} pages and {minutes} minutes"
    if LIST.read_text() != listed():
        yield f"{LIST.relative_to(PACKAGE)}:1: it is not what Documentation/order.txt makes: Documentation/check --write"


def pages_of_the_list():
    """What a person may want to read. The pages of the contract are linked by its first one."""
    paths = [*PACKAGE.glob("*.md"), *FOLDER.glob("*.md"), *articles(), *PACKAGE.glob("*/README.md"), *PACKAGE.glob("Examples/*/README.md")]
    left_out = {PACKAGE / "README.md", LIST}
    return sorted({str(path.relative_to(PACKAGE)) for path in paths if path not in left_out})


def articles():
    """All pages of the modules but those of the contract after its first."""
    return [path for path in sorted(PACKAGE.glob("Sources/*/*.docc/**/*.md")) if not path.name.startswith("Contract-")]


# What holds of each


def findings_of_pages():
    checked = [path for path in articles() if path != lawtests.CONTRACT]
    sources = sorted(PACKAGE.glob("Sources/*/**/*.swift"))
    for path in [PACKAGE / "README.md", PACKAGE / "CHANGELOG.md", *checked, *sources]:
        yield from findings_of_comments(path) if path.suffix == ".swift" else findings_of(path)
    for path in lawtests.pages():
        yield from findings_of_links(path)
    read = ORDER.read_text().partition("## Reference")[0].splitlines()
    words = sum(words_of(PACKAGE / entry[2]) for line in read if (entry := ENTRY.fullmatch(line)) and (PACKAGE / entry[2]).exists())
    if words > WORDS_OF_ALL_ARTICLES:
        yield f"{LIST.relative_to(PACKAGE)}:1: all articles together have {words} words, not {WORDS_OF_ALL_ARTICLES} at most"


def words_of(path):
    return len(path.read_text().split())


def findings_of(path):
    if path.name == "CHANGELOG.md":
        yield from versions(path)
        return
    place, text = path.relative_to(PACKAGE), path.read_text()
    if path.name == "README.md":
        if len(text.splitlines()) > LINES_OF_THE_README:
            yield f"{place}:1: {len(text.splitlines())} lines, not {LINES_OF_THE_README} at most"
    elif words_of(path) > WORDS_OF_A_PAGE:
        yield f"{place}:1: {words_of(path)} words, not {WORDS_OF_A_PAGE} at most"
    for number, sentence in sentences(text):
        count = len(re.findall(r"\S*\w\S*", sentence))
        if count > WORDS_OF_A_SENTENCE:
            yield f"{place}:{number}: a sentence of {count} words, not {WORDS_OF_A_SENTENCE} at most: {sentence[:60]} …"
    yield from findings_of_laws(path, enumerate(without_code(text), 1))
    yield from findings_of_links(path)
    for number, line in prose(text):
        for word, instead in language.findings_of_articles(line):
            yield f"{place}:{number}: “{word}”; write instead: {instead}"


def prose(text):
    """The lines that a person reads on GitHub: neither code nor the topics, which are for DocC alone."""
    return enumerate(without_code(text.partition("\n## Topics\n")[0]), 1)


def findings_of_links(path):
    for number, line in prose(path.read_text()):
        if re.search(r"<doc:|\]\(doc:", line):
            yield f"{path.relative_to(PACKAGE)}:{number}: a link that GitHub does not know; write [Title](Page.md)"
        if "``" in line and not line.startswith("# "):
            yield f"{path.relative_to(PACKAGE)}:{number}: GitHub shows double backquotes as they stand; write single ones"


def findings_of_comments(path):
    lines = enumerate(path.read_text().splitlines(), 1)
    yield from findings_of_laws(path, ((number, line) for number, line in lines if line.strip().startswith("///")))


def findings_of_laws(path, numbered_lines):
    for number, line in numbered_lines:
        for law in lawtests.REFERENCE.findall(re.sub(r"`[^`]*`", "", line)):
            if law in numbers_of_laws() and not re.search(rf"(?:Swift|Xcode|iOS|watchOS) {re.escape(law)}", line):
                yield f"{path.relative_to(PACKAGE)}:{number}: {law} is the number of a law: the names of tests have them"


@functools.cache
def numbers_of_laws():
    return {law.number for law in lawtests.laws()}


def without_code(text):
    """The lines of a page, those of its blocks of code empty."""
    is_in_block = False
    for line in text.splitlines():
        is_fence = line.strip().startswith("```")
        yield "" if is_in_block or is_fence else line
        is_in_block ^= is_fence


def sentences(text):
    """Each sentence of a paragraph, an item of a list or a cell of a table, with the number of its line. Code counts as one word."""
    start, unit = 0, []

    def ended():
        joined = re.sub(r"`[^`]*`", "`code`", " ".join(unit))
        joined = re.sub(r"\]\([^)]*\)", "]", joined)
        for sentence in re.split(r"(?<=[.!?])[)”*]*\s+(?=\S)", joined):
            yield start, sentence.strip()

    for number, line in enumerate([*without_code(text.partition("\n## Topics\n")[0]), ""], 1):
        line = line.strip()
        is_row, is_item = line.startswith("|"), re.match(r"(?:[-*]|\d+\.) ", line)
        if unit and (not line or is_row or is_item or line.startswith(("#", "<"))):
            yield from ended()
            unit = []
        if is_row:
            for cell in re.split(r"(?<!\\)\|", line.strip("|")):
                start, unit = number, [cell]
                yield from ended()
            unit = []
        elif line and not line.startswith(("#", "<")):
            start, unit = (start if unit else number), [*unit, line]


# Versions


RELEASED = re.compile(r"(?m)^## (\d+\.\d+\.\d+\S*) \(\d{4}-\d\d-\d\d\)$")
CLAIM = re.compile(r"\bAsyncState (\d+\.\d+\.\d+[\w.-]*)|/AsyncState(?:\.git)?\", (?:from|exact): \"(\d+\.\d+\.\d+[\w.-]*)\"")


def released():
    """The versions of the change log that have a date: there are no others."""
    return RELEASED.findall((PACKAGE / "CHANGELOG.md").read_text())


def versions(path):
    """A change log whose version has no date."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("## ") and line != "## Unreleased" and not RELEASED.fullmatch(line):
            yield f"{path.relative_to(PACKAGE)}:{number}: “{line[3:]}” is no released version: write it as `1.0.0 (2026-01-31)`"


def findings_of_versions(paths):
    """A version that is claimed and was not released, and a placeholder where one was."""
    known = released()
    for path in paths:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for claim in CLAIM.finditer(line):
                if (claim[1] or claim[2]) not in known:
                    yield f"{path.relative_to(PACKAGE)}:{number}: {claim[1] or claim[2]} was not released"
            if known and re.search(r"github\.com/OWNER\b", line):
                yield f"{path.relative_to(PACKAGE)}:{number}: OWNER stands where the address has to be"
