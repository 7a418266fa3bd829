# SPDX-License-Identifier: MIT
"""The texts that a person reads in the standard views, as they are written once, in StandardTexts.swift."""

import re
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
SOURCE = PACKAGE / "Sources" / "AsyncState" / "Host" / "StandardTexts.swift"
TRANSLATIONS = PACKAGE / "Sources" / "AsyncStateUI" / "Resources"


def standard_texts():
    """The texts by their names."""
    return dict(re.findall(r'static var (\w+): String { "(.+)" }', SOURCE.read_text()))


def check_translations():
    """Each language has each text, and no other one; English is as it is written."""
    texts = list(standard_texts().values())
    for file in sorted(TRANSLATIONS.glob("*.lproj/*.strings")):
        pairs = re.findall(r'^"(.+)" = "(.+)";$', file.read_text(), re.MULTILINE)
        name = file.relative_to(PACKAGE)
        if sorted(key for key, _ in pairs) != sorted(texts):
            yield f"{name}: its keys are not the texts of {SOURCE.name}"
        if file.parent.name == "en.lproj":
            yield from (f"{name}: “{text}” is not “{key}”" for key, text in pairs if text != key)
