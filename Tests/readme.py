"""The tables in Tests/README.md that scripts write: each stands between two comments that name it."""

from pathlib import Path

README = Path(__file__).resolve().parent / "README.md"


def with_table(name, table):
    """The text of the README with another table of this name."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    head, rest = README.read_text().split(begin)
    return f"{head}{begin}\n{table}\n{end}{rest.split(end)[1]}"
