# SPDX-License-Identifier: MIT
"""A terminal's screen, as far as the demo makes use of it.

It is strict: a control character or a sequence that it does not know is an error, and so is a character of more or less than
one column.
"""

import codecs
import re
import unicodedata


class Screen:
    """Takes in what a program writes to a terminal, and knows what the terminal shows."""

    SEQUENCE = re.compile(r"\x1b\[(\??)([0-9;]*)([A-Za-z])")
    START_OF_SEQUENCE = re.compile(r"\x1b(\[\??[0-9;]*)?\Z")

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.is_alternate = False
        self.is_cursor_visible = True
        self.does_wrap = True
        self.cells = self._blank()
        self.row = self.column = 0
        self._main = None
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._pending = ""
        self.is_size_known = True
        # Whether what is written past the right edge is an error.
        self.is_strict = True

    # Reading

    def line(self, row):
        return "".join(self.cells[row]).rstrip()

    @property
    def lines(self):
        return [self.line(row) for row in range(self.rows)]

    @property
    def text(self):
        return "\n".join(self.lines)

    # Writing

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.cells = [(row + [" "] * columns)[:columns] for row in (self.cells + self._blank())[:rows]]
        self.row, self.column = min(self.row, rows - 1), min(self.column, columns - 1)
        self.is_size_known = False

    def feed(self, data):
        text = self._pending + self._decoder.decode(data)
        self._pending = ""
        position = 0
        while position < len(text):
            character = text[position]
            if character == "\x1b":
                match = self.SEQUENCE.match(text, position)
                if match:
                    self._control(*match.groups())
                    position = match.end()
                    continue
                if self.START_OF_SEQUENCE.match(text, position):
                    self._pending = text[position:]
                    return
                raise AssertionError(f"unknown sequence {text[position:position + 12]!r}")
            if character == "\r":
                self.column = 0
            elif character == "\n":
                self._line_feed()
            elif unicodedata.category(character)[0] in "CM" or unicodedata.east_asian_width(character) in "WF":
                raise AssertionError(f"the character {character!r} in {text[max(position - 20, 0):position + 20]!r}")
            else:
                self._put(character)
            position += 1

    def _put(self, character):
        if self.column >= self.columns:
            if not self.does_wrap:
                # Until it has heard of a new size, a program may write for the old one.
                if self.is_size_known and self.is_strict:
                    raise AssertionError(f"{character!r} is written past the right edge")
                return
            self.column = 0
            self._line_feed()
        self.cells[self.row][self.column] = character
        self.column += 1

    def _line_feed(self):
        if self.row + 1 < self.rows:
            self.row += 1
        else:
            self.cells = self.cells[1:] + [[" "] * self.columns]

    def _control(self, private, parameters, final):
        numbers = [int(number) if number else 0 for number in parameters.split(";")]
        first = numbers[0]
        if private:
            self._mode(first, {"h": True, "l": False}[final])
        elif final == "m":
            pass
        elif final == "H":
            self.row = min(max(first, 1), self.rows) - 1
            self.column = min(max(numbers[1] if len(numbers) > 1 else 1, 1), self.columns) - 1
        elif final == "G":
            self.column = min(max(first, 1), self.columns) - 1
        elif final == "A":
            self.row = max(self.row - max(first, 1), 0)
        elif final == "K" and first == 2:
            self.cells[self.row] = [" "] * self.columns
        elif final == "J" and first == 2:
            self.cells = self._blank()
            self.is_size_known = True
        elif final == "J" and first == 0:
            self.cells[self.row][self.column:] = [" "] * (self.columns - self.column)
            for row in range(self.row + 1, self.rows):
                self.cells[row] = [" "] * self.columns
        else:
            raise AssertionError(f"unknown sequence ESC [ {parameters}{final}")

    def _mode(self, number, is_on):
        if number == 1049:
            if is_on and not self.is_alternate:
                self._main = (self.cells, self.row, self.column)
                self.cells = self._blank()
            elif not is_on and self.is_alternate:
                cells, self.row, self.column = self._main
                self.cells = cells
                self.resize(self.columns, self.rows)
            self.is_alternate = is_on
        elif number == 25:
            self.is_cursor_visible = is_on
        elif number == 7:
            self.does_wrap = is_on
        elif number != 2026:
            raise AssertionError(f"unknown mode {number}")

    def _blank(self):
        return [[" "] * self.columns for _ in range(self.rows)]
