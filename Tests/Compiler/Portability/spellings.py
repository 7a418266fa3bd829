# SPDX-License-Identifier: MIT
"""What is found in Swift files by the spelling alone."""

import re

# What a newer standard library warns of, or the oldest systems lack without the interface files saying so, and what to
# write.
REPLACED = [
    # https://github.com/swiftlang/swift/pull/84944
    (r"\bwith(?:Checked|Unsafe)(?:Throwing)?Continuation\s*\(\s*isolation:",
     "deprecated by Swift 6.4: leave `isolation` out; in a closure that is not isolated, capture the actor"),
    (r"\bTask\.sleep\(nanoseconds:", "superseded by Task.sleep(for:), which takes no Int that could be too narrow"),
    (r"\bisolated\s+deinit\b",
     "needs watchOS 11.4, and traps on newer systems: cancel and mark in a deinit, and enqueue the rest on the actor"),
]

# A product of two numbers that grow with the length of a list. With 32 bits it overflows from 46,341 on.
COUNT = r"(?:\w+\.)*\w*(?:[cC]ount|[lL]ength|[iI]ndex)\b(?:\(\))?"
PRODUCT = re.compile(rf"(?<![\w.]){COUNT} \*=? {COUNT}")


def replaced(files):
    for file in files:
        text = without_comments(file.read_text())
        for pattern, message in REPLACED:
            for match in re.finditer(pattern, text):
                yield file, text.count("\n", 0, match.start()) + 1, message


def products(files):
    for file in files:
        for number, line in enumerate(without_comments(file.read_text()).splitlines(), start=1):
            if PRODUCT.search(line):
                yield file, number, "a product of two counts overflows where Int has 32 bits: multipliedReportingOverflow"


# https://github.com/swiftlang/swift/issues/91700
LINKED = ("a private @State with a default value does not link with Xcode 27 where an initialiser in another file is not "
          "made of one in the type's own file: call self.init")


def states(files):
    """Initialisers of a view in another file than its states, which must delegate."""
    texts = {file: without_comments(file.read_text()) for file in files}
    homes = {match[1]: file for file, text in texts.items()
             for match in re.finditer(r"\bstruct (\w+)", text)
             if re.search(r"@State\s+private\s+var \w+(?:\s*:[^=\n]+)? =", block(text, match.end()))}
    for file, text in texts.items():
        for match in re.finditer(r"\bextension (\w+)", text):
            if homes.get(match[1], file) == file:
                continue
            for start in re.finditer(r"(?<!\.)\binit\b[?!]?\s*(?:<[^(]*>)?(?=\()", text):
                inside = block(text, match.end())
                if not match.end() < start.start() < match.end() + len(inside):
                    continue
                parameters = block(text, start.end(), "()")
                code = block(text, start.end() + len(parameters))
                if "self.init(" not in code or re.search(r"\bself = ", code):
                    yield file, text.count("\n", 0, start.start()) + 1, LINKED


def block(text, start, braces="{}"):
    """What stands up to the end of the next braces."""
    depth = 0
    for index in range(max(text.find(braces[0], start), 0), len(text)):
        depth += (text[index] == braces[0]) - (text[index] == braces[1])
        if depth == 0:
            return text[start:index]
    return ""


def without_comments(text):
    """The text with as many lines, without comments and without what stands in quotes."""
    text = re.sub(r"/\*.*?\*/", lambda match: "\n" * match[0].count("\n"), text, flags=re.DOTALL)
    return re.sub(r'"(?:\\.|[^"\\\n])*"|//[^\n]*', "", text)


def newer_names(folder, oldest):
    """Names that the interface files declare for a newer watch only; a new overload of an old name is not among them."""
    names, older = set(), set()
    for file in folder.glob("*.swiftinterface"):
        is_newer = False
        opened = None
        for line in file.read_text().splitlines():
            match = re.match(r"\s*@available\(.*\bwatchOS (\d+)\.(\d+)", line)
            if match:
                is_newer = [int(match[1]), int(match[2])] > oldest
            declared = re.search(r"\b(?:func|var|let|struct|class|enum|protocol|typealias|actor|case|macro) (\w+)", line)
            if declared:
                (names if is_newer or opened is not None else older).add(declared[1])
            if line.startswith("}"):
                opened = None
            # All that stands in an extension or a type that is newer is newer, too.
            if is_newer and re.search(r"\b(?:extension|struct|class|enum|protocol|actor)\b.*\{$", line):
                opened = opened or line
            if not line.strip().startswith("@") or declared or line.rstrip().endswith("{"):
                is_newer = False
    return {name for name in names - older if not name.startswith("_")}
