# SPDX-License-Identifier: MIT
"""Finds words that a reader has to know from this project: each has a plain word of the field instead.

What a person reads is checked: articles, comments, and texts in string literals. Code, code in comments and names of
people are not.
"""

import re

# What is found, and what to write instead.
WORDS = [
    (r"tells?|told|telling|hears?|heard", "notifies, is notified; calls, is called; distinguishes"),
    (r"on show|from show", "visible, displayed; disappears"),
    (r"whoever|nobody|somebody|anybody|who has it", "the caller, the owner, an observer; no observer"),
    (r"goes|lets? go|letting go|(?:is|are|was|were) gone", "is released, is deallocated, is removed; continues"),
    (r"comes|(?:one|those) who (?:come|go)s?|(?:one|those) that (?:come|go)s?", "appears, the incoming child; is first"),
    (r"facts?|what is known", "the data; its value, error and activity"),
    (r"loads? that counts?", "the current load"),
    (r"asks?|asked|asking", "requests, is requested; calls; reads"),
    (r"excused?|latecomers?|entangled?|bur(?:y|ies|ied)|errands?|openness|realms?", "is exempt, is late, is linked, is a call, is open"),
    (r"none of it|what is not as in most", "say which value, and when it is nil"),
]
# The same, in articles alone: words that are names of this project, where the field has another.
WORDS_OF_ARTICLES = [
    (r"lanes?", "queue"),
    (r"doubts?|in doubt", "outcome unknown: the server may have done it, so the value is stale"),
    (r"former", "previous"),
    (r"held|holders?", "in use; kept"),
    (r"seeds?", "placeholder"),
    (r"boards?", "cache, where families share one; the name of the type in code"),
    (r"supersedes?|superseded|superseding", "replaces, is replaced"),
    (r"provisional", "not from the server yet"),
    (r"rests?|its turn|held back|waits for room|in (?:one|its) room", "queued, waiting for a network, or delayed"),
    (r"wants|wanted|interest", "needs, needed; a caller"),
]


def patterns(rows):
    return [(re.compile(rf"(?<![\w`-])(?:{words})(?![\w`-])", re.IGNORECASE), instead) for words, instead in rows]


PATTERNS, PATTERNS_OF_ARTICLES = patterns(WORDS), patterns(WORDS_OF_ARTICLES)

# A person whose work is credited.
NAMES = re.compile(r"\(Ask\)|\bAsk's\b|\bAsk:")


def findings(path):
    """Each line of a file with such a word: its number, the word, and what to write instead."""
    texts = swift_texts if path.suffix == ".swift" else article_texts
    for number, text in texts(path.read_text().splitlines()):
        text = NAMES.sub("", text)
        for pattern, instead in PATTERNS:
            for match in pattern.finditer(text):
                yield number, match.group(), instead


def findings_of_articles(line):
    """The words in a line of an article's prose that have another word in the field."""
    for pattern, instead in PATTERNS_OF_ARTICLES:
        for match in pattern.finditer(re.sub(r"`[^`]*`|\]\([^)]*\)|<doc:[^>]*>", "", line)):
            yield match.group(), instead


def article_texts(lines):
    """The prose of an article, with what its blocks of Swift say in comments and texts."""
    block, language = None, ""
    for number, line in enumerate(lines, 1):
        if line.strip().startswith("```"):
            if block is None:
                block, language = [], line.strip()[3:]
            else:
                if language.startswith("swift"):
                    yield from swift_texts(block, first=number - len(block))
                block = None
        elif block is not None:
            block.append(line)
        else:
            # Neither code nor the targets of links.
            yield number, re.sub(r"`[^`]*`|\]\([^)]*\)|<doc:[^>]*>", "", line)


def swift_texts(lines, first=1):
    """The comments and the string literals of Swift code, without the code in them."""
    is_in_literal = False
    for number, line in enumerate(lines, first):
        if line.count('"""') % 2 == 1:
            is_in_literal = not is_in_literal
        elif is_in_literal:
            yield number, without_interpolations(line)
        else:
            literals = re.findall(r'"(?:\\.|[^"\\])*"', line)
            yield from ((number, without_interpolations(literal)) for literal in literals)
            comment = re.search(r"//.*", re.sub(r'"(?:\\.|[^"\\])*"', '""', line))
            if comment:
                yield number, re.sub(r"``?[^`]*``?|https?:\S+", "", comment.group())


def without_interpolations(text):
    return re.sub(r"\\\([^()]*(?:\([^()]*\)[^()]*)*\)", "", text)
