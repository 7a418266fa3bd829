"""Swift source text, as far as it must be understood to change it in one place."""

import re
from dataclasses import dataclass


class Source:
    """A file's text, and the same text with comments and the insides of strings blanked out."""

    def __init__(self, path, text):
        self.path = path
        self.text = text
        self.code = blank(text)
        self.line_starts = [0] + [match.end() for match in re.finditer("\n", text)]

    def line_number(self, position):
        """The number of the line, from 1."""
        low, high = 0, len(self.line_starts)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.line_starts[middle] <= position else (low, middle)
        return low + 1

    def line(self, number):
        start = self.line_starts[number - 1]
        return self.text[start:self.text.find("\n", start)].strip()

    def expression_end(self, start, stops):
        """Where the expression that begins at `start` ends: at one of the characters in `stops`, or the end of a line that
        does not go on, outside of all brackets. None if the brackets do not balance."""
        depth = 0
        for position in range(start, len(self.code)):
            character = self.code[position]
            if depth == 0 and character in stops:
                return position
            if character in "([{":
                depth += 1
            elif character in ")]}":
                depth -= 1
                if depth < 0:
                    return None
            elif character == "\n" and depth == 0 and not self.goes_on(position):
                return position
        return None

    def goes_on(self, line_end):
        """Whether the statement goes on after this end of a line."""
        rest = self.code[line_end:].lstrip()
        before = self.code[:line_end].rstrip()
        return re.match(r"(\.[a-z_]|&&|\|\||\?\?|\?\s|:\s|[+*<>]\s|-\s|==|!=)", rest) is not None or re.search(
            r"(&&|\|\||\?\?|,|=|\+|\bin)$", before) is not None

    def enclosing_function(self, number):
        """The keyword that the innermost function around a line is declared with, and the number of that line."""
        lines = self.code.split("\n")
        column = indentation(lines[number - 1])
        for above in range(number - 1, 0, -1):
            line = lines[above - 1]
            # The signature of a function may end on a line of its own.
            is_end_of_signature = re.match(r"\s*(\)|where\b)", line) and indentation(line) <= column
            if not line.strip() or indentation(line) > column - 1 and not is_end_of_signature:
                continue
            column = indentation(line) + 1 if is_end_of_signature else indentation(line)
            declared = re.search(r"\b(init|deinit|func|get|set|var|subscript)\b", line)
            if declared:
                return declared[1], above
        return "", 1

    def enclosing_attribute(self, position):
        """Whether the position is in an attribute, a condition of compilation or an import."""
        start = self.code.rfind("\n", 0, position) + 1
        return re.match(r"\s*(#|import |public import |@available)", self.code[start:]) is not None


def indentation(line):
    return len(line) - len(line.lstrip())


def blank(text):
    """The text without what is in comments and strings. Every position stays what it was."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"""(?:\\.|.)*?"""|"(?:\\.|[^"\\\n])*"', re.DOTALL)

    def replacement(match):
        found = match[0]
        if found.startswith("/"):
            return re.sub(r"[^\n]", " ", found)
        return '"' + re.sub(r"[^\n]", "_", found[1:-1]) + '"'

    return pattern.sub(replacement, text)


@dataclass(frozen=True)
class Edit:
    """Text that takes the place of a stretch of the source. Where two begin or end together, the wider is outside."""

    start: int
    end: int
    text: str
    width: int = 0


def apply(text, edits):
    """The text with all edits made. Insertions may share a place; replacements must not overlap."""
    # At one place: first what closes, narrow before wide; then what opens, wide before narrow; then what replaces.
    def order(edit):
        if edit.start != edit.end:
            return (edit.start, 2, 0)
        return (edit.start, 0, edit.width) if edit.width > 0 else (edit.start, 1, edit.width)

    parts = []
    position = 0
    for edit in sorted(edits, key=order):
        parts.append(text[position:edit.start])
        parts.append(edit.text)
        position = edit.end
    parts.append(text[position:])
    return "".join(parts)


def wrapping(start, end, before, after):
    """Puts a stretch of the source between two texts."""
    width = end - start
    return [Edit(start, start, before, -width), Edit(end, end, after, width)]
