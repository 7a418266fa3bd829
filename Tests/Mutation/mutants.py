"""What can be changed in a source: one operator, constant, condition, binding, call or assignment at a time.

All changes of a program are compiled into it together, each behind a question: is it this one's turn? So the program is
built once, and run once for each change. (R. H. Untch, A. J. Offutt, M. J. Harrold, "Mutation analysis using mutant
schemata", ISSTA 1993.)
"""

import re
from dataclasses import dataclass

from source import Edit, wrapping


@dataclass
class Mutant:
    """One change."""

    number: int
    source: object
    position: int
    kind: str
    description: str
    edits: list

    @property
    def line(self):
        return self.source.line_number(self.position)

    @property
    def key(self):
        """What names the change, also after lines have moved."""
        return f"{self.source.path} | {self.description} | {self.source.line(self.line)}"


# An operator, what takes its place, and how both are called in the generated operators.
BINARY = {
    "<": ("<=", "Comparable", "ComparisonPrecedence"),
    "<=": ("<", "Comparable", "ComparisonPrecedence"),
    ">": (">=", "Comparable", "ComparisonPrecedence"),
    ">=": (">", "Comparable", "ComparisonPrecedence"),
    "==": ("!=", "Equatable", "ComparisonPrecedence"),
    "!=": ("==", "Equatable", "ComparisonPrecedence"),
    "===": ("!==", "AnyObject", "ComparisonPrecedence"),
    "!==": ("===", "AnyObject", "ComparisonPrecedence"),
    "&&": ("||", "Bool", "LogicalConjunctionPrecedence"),
    "||": ("&&", "Bool", "LogicalDisjunctionPrecedence"),
    "+": ("-", "AdditiveArithmetic", "AdditionPrecedence"),
    "-": ("+", "AdditiveArithmetic", "AdditionPrecedence"),
    "*": ("+", "Numeric", "MultiplicationPrecedence"),
    "??": ("its right side", "Optional", "NilCoalescingPrecedence"),
}

OPERATOR = re.compile(r"(?<=\s)(<=|>=|===|!==|==|!=|&&|\|\||\?\?|<|>|\+|-|\*)(?=\s)")
LITERAL = re.compile(r"(?<![\w.\"#])(true|false|\d+(?:\.\d+)?)(?![\w.\"])")
NEGATION = re.compile(r"(?<=[\s(\[{!])!(?=[\w(])")
CONDITION = re.compile(r"\b(if|guard|while)\s+(?!case\b|#)")
STATEMENT = re.compile(r"(?:(?<=\n)|(?<=[{;:] )|(?<= in ))[ ]*(?=(?:self\.|super\.)?[a-z_]\w*[?!]?(?:\.|\(|\[| [-+*&]*= | \{))")
NO_STATEMENT = re.compile(
    r"(if|guard|while|for|switch|case|default|return|throw|let|var|weak|func|init|deinit|repeat|defer|do|catch|else|break|"
    r"continue|struct|class|enum|extension|protocol|final|public|private|internal|static|import|mutating|typealias|"
    r"subscript|get|set|some|any|in|is|as|try|await|nonisolated|unowned|convenience|override|where|each|repeat|precondition"
    r"|preconditionFailure|fatalError|withExtendedLifetime)\b")


def find_mutants(sources):
    """Every change there is, numbered from 1."""
    mutants = []
    for source in sources:
        for find in [operators, literals, negations, conditions, statements]:
            for position, kind, description, edits in find(source):
                number = len(mutants) + 1
                mutants.append(Mutant(number, source, position, kind, description, edits(number)))
    return mutants


def operators(source):
    for match in OPERATOR.finditer(source.code):
        operator = match[1]
        line = source.code[source.code.rfind("\n", 0, match.start()) + 1:match.start()]
        # Of declarations and of types.
        if re.search(r"\b(func|typealias|infix|where)\b", line):
            continue
        instead = BINARY[operator][0]
        yield (match.start(), "operator", f"{operator} becomes {instead}",
               lambda number, m=match: [Edit(m.start(), m.end(), generated_operator(m[1], number))])


def literals(source):
    for match in LITERAL.finditer(source.code):
        line = source.code[source.code.rfind("\n", 0, match.start()) + 1:match.start()]
        if source.enclosing_attribute(match.start()) or re.match(r"\s*case\b[^:]*$", line):
            continue
        # The place in a tuple, and a version.
        if re.search(r"\$$|\.$", source.code[:match.start()][-1:]):
            continue
        literal = match[1]
        instead = {"true": "false", "false": "true"}.get(literal) or str(int(float(literal)) + 1)
        yield (match.start(), "constant", f"{literal} becomes {instead}",
               lambda number, m=match, i=instead: [Edit(m.start(), m.end(), f"(isTurn({number}) ? {i} : {m[1]})")])


def negations(source):
    for match in NEGATION.finditer(source.code):
        yield (match.start(), "operator", "! is left out",
               lambda number, m=match: [Edit(m.start(), m.end(), generated_operator("!", number))])


def conditions(source):
    for match in CONDITION.finditer(source.code):
        start = match.end()
        while True:
            stop = source.expression_end(start, ",{" if match[1] != "guard" else ",e{")
            # "else" ends a guard's conditions; other words that begin with an e do not.
            while stop is not None and source.code[stop] == "e" and not (
                    re.match(r"else\b", source.code[stop:]) and source.code[stop - 1].isspace()):
                further = source.expression_end(stop + 1, ",e{")
                stop = further
            if stop is None:
                break
            yield from condition(source, start, len(source.code[:stop].rstrip()))
            if source.code[stop] != ",":
                break
            start = stop + 1 + len(source.code[stop + 1:]) - len(source.code[stop + 1:].lstrip())


def condition(source, start, end):
    text = source.code[start:end]
    # What is bound to `self` must be `self` itself.
    if re.match(r"let self\b", text):
        return
    binding = re.match(r"(?:let|var) (\w+)(?:\s*=\s*)?", text)
    if binding and binding.end() == len(text):
        name = binding[1]
        yield (start, "condition", "the optional is nil",
               lambda number: [Edit(end, end, f" = absent({number}, {name})", 1)])
    elif binding:
        yield (start, "condition", "the optional is nil",
               lambda number: wrapping(start + binding.end(), end, f"absent({number}, ", ")"))
    elif not text.startswith("case "):
        yield (start, "condition", "the condition is reversed",
               lambda number: wrapping(start, end, f"(isTurn({number}) != (", "))"))


def statements(source):
    for match in STATEMENT.finditer(source.code):
        start = match.end()
        before = source.code[source.code.rfind("\n", 0, start) + 1:start]
        if NO_STATEMENT.match(source.code[start:]) or is_continuation(source, match.start()):
            continue
        if re.search(r"\bfor \w+ in $", before):
            continue
        end = source.expression_end(start, ";}")
        if end is None:
            continue
        end = len(source.code[:end].rstrip())
        text = source.code[start:end]
        assigns = re.match(r"[\w.?!\[\]]+ [-+*&]*= ", text) is not None
        if not assigns and not re.search(r"[)}]$", text):
            continue
        # A closure's "_ = actor" does nothing but name the actor, so that the closure runs there.
        if re.fullmatch(r"_ = \w+", text):
            continue
        # What must be initialised must be: the compiler sees to it.
        if assigns and source.enclosing_function(source.line_number(start))[0] == "init":
            continue
        what = "the assignment" if assigns else "the call"
        yield (start, "assignment" if assigns else "call", f"{what} is left out",
               lambda number, s=start, e=end: wrapping(s, e, f"if !isTurn({number}) {{ ", " }"))


def is_continuation(source, position):
    """Whether a line goes on with what the line before began: its arguments, or its chain."""
    if position == 0 or source.code[position - 1] != "\n":
        return False
    before = source.code[:position].rstrip()
    return before[-1:] in "(,[=+&|?" or source.goes_on(position - 1)


# MARK: What the changed program is given

def generated_operator(operator, number):
    """An operator of a change's own: its number is written in mathematical signs."""
    digits = ""
    while number:
        digits = chr(0x2200 + number % 128) + digits
        number //= 128
    return operator + digits


def support(mutants):
    """The source that the changed program is compiled with besides."""
    parts = [SUPPORT]
    for mutant in mutants:
        for edit in mutant.edits:
            match = re.match(r"([^\w\s(\u2200-\u227f]+)[\u2200-\u227f]+$", edit.text)
            if match:
                parts.append(operator_declaration(match[1], edit.text, mutant.number))
    return "\n".join(parts)


def operator_declaration(operator, name, number):
    turn = f"isTurn({number})"
    if operator == "!":
        return f"prefix operator {name}\n@inlinable prefix func {name}(a: Bool) -> Bool {{ {turn} ? a : !a }}"
    instead, kind, precedence = BINARY[operator]
    head = f"infix operator {name}: {precedence}\n@inlinable func {name}"
    choice = f"{turn} ? a {instead} b : a {operator} b"
    if kind == "Equatable":
        return "\n".join([
            f"{head}<T: Equatable>(a: T, b: T) -> Bool {{ {choice} }}",
            f"@inlinable func {name}<T>(a: T?, b: _OptionalNilComparisonType) -> Bool {{ {choice} }}",
        ])
    if kind == "AnyObject":
        return f"{head}(a: AnyObject?, b: AnyObject?) -> Bool {{ {choice} }}"
    if kind == "Bool":
        return (f"{head}(a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool "
                f"{{ {turn} ? try a {instead} b() : try a {operator} b() }}")
    if kind == "Optional":
        return "\n".join([
            f"{head}<T>(a: T?, b: @autoclosure () throws -> T) rethrows -> T {{ {turn} ? try b() : try a ?? b() }}",
            f"@inlinable func {name}<T>(a: T?, b: @autoclosure () throws -> T?) rethrows -> T? "
            f"{{ {turn} ? try b() : try a ?? b() }}",
        ])
    # What is left are the numbers.
    result = "Bool" if kind == "Comparable" else "T"
    return f"{head}<T: {kind}>(a: T, b: T) -> {result} {{ {choice} }}"


SUPPORT = """\
import Glibc

@usableFromInline let turn = getenv("ASYNCSTATE_MUTANT").map { Int(atoi($0)) } ?? 0
@inlinable func isTurn(_ number: Int) -> Bool { turn == number }
@inlinable func absent<T>(_ number: Int, _ value: T?) -> T? { isTurn(number) ? nil : value }
"""
