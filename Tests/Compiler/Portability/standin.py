# SPDX-License-Identifier: MIT
"""A stand-in for the standard library of watchOS, made from the toolchain's own interface files.

The toolchain for Linux has its modules as text, too, and there each declaration says which systems have it. Compiled
for a watch, with `Int` of 32 bits as on the device, they let the compiler itself find what the oldest system does not
have, what stands under no `#available`, and which constants do not fit. Nothing is linked and nothing runs.

What is left out of the text is what only matters to a program that runs: the bodies of functions, except those that
fold constants.
"""

import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

ARCHITECTURE = "arm64_32-apple-watchos"
# Older than any system that is asked about, so that the stand-in serves them all.
BUILT_FOR = f"{ARCHITECTURE}9.0"
MODULES = ["Swift", "SwiftOnoneSupport", "_Concurrency", "_StringProcessing", "_Builtin_float", "Observation",
           "Synchronization", "Testing"]
OPTIONS = ["-disable-objc-interop", "-package-name", "AsyncState"]

STUBS = Path(__file__).resolve().parent / "Stubs"


def make(folder):
    """The folder with the modules, made anew only for another toolchain or another version of this file."""
    linux = toolchain() / "lib/swift/linux"
    stubs = sorted(STUBS.glob("*.swift"))
    sources = [Path(__file__).read_text(), *(stub.read_text() for stub in stubs), run("swiftc", "--version").stdout]
    folder = Path(folder) / hashlib.sha256("".join(sources).encode()).hexdigest()[:16]
    if (folder / "complete").exists():
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in MODULES:
        [interface] = [file for file in (linux / f"{name}.swiftmodule").glob("*.swiftinterface")
                       if not file.name.endswith(".private.swiftinterface")]
        text = folder / f"{name}.swiftinterface"
        text.write_text(adapted(name, interface.read_text()))
        frontend(
            folder, BUILT_FOR, "-compile-module-from-interface", "-o", folder / f"{name}.swiftmodule", "-module-name", name,
            "-disable-availability-checking", *(["-parse-stdlib"] if name == "Swift" else []), text)
    for stub in stubs:
        frontend(
            folder, BUILT_FOR, "-emit-module", "-o", folder / f"{stub.stem}.swiftmodule", "-module-name", stub.stem,
            "-parse-as-library", "-swift-version", "6", stub)
    (folder / "complete").touch()
    return folder


def toolchain():
    return Path(shutil.which("swiftc")).resolve().parent.parent


def run(*command):
    return subprocess.run([*map(str, command)], capture_output=True, text=True)


def frontend(folder, target, *arguments):
    """Compiles with the stand-in, and stops if that fails."""
    result = try_frontend(folder, target, *arguments)
    if result.returncode != 0:
        sys.exit(f"standin: the toolchain's interface files are not as they were with Swift 6.3.\n{result.stderr[-4000:]}")


def try_frontend(folder, target, *arguments):
    plugins = toolchain() / "lib/swift/host/plugins"
    return run(
        "swiftc", "-frontend", "-target", target, "-I", folder, "-module-cache-path", folder / "cache", *OPTIONS,
        "-plugin-path", plugins, "-plugin-path", plugins / "testing", "-diagnostic-style=llvm", *arguments)


# MARK: The text of an interface

DECLARES_TYPE = re.compile(r"\b(?:struct|class|enum|protocol|extension|actor) \w")
DECLARES_FUNCTION = re.compile(r"\b(?:func|init[?!]?|deinit)(?![\w:])")
ACCESSOR = re.compile(
    r"^(?:@\S+ |(?:non)?mutating |(?:__)?consuming |borrowing )*"
    r"(?:get|set|_?read|_?modify|borrow|mutate|unsafeAddress|unsafeMutableAddress)\b.*\{$")
# What asks for the body that is left out.
ASKS_FOR_BODY = re.compile(r"@(?:_transparent|backDeployed\([^)]*\)|inline\([^)]*\)) ?")
# The types whose small functions the compiler carries out itself when the values are constants.
FOLDED = re.compile(r"(?:struct|extension) (?:Swift\.)?(U?Int\d*|Bool|StaticString)\b(?!\.)")
# In those: what converts between words and `Int`, which here have not the same width as in the text.
CONVERTS = re.compile(r"OrBitCast|_stdlib_|trunc_Int128_Int64|[su]itofp_Int64")


def adapted(name, text):
    # Glibc is only needed by bodies.
    text = re.sub(r"(?m)^(?:\w+ )?import Glibc\n", "", text)
    text = re.sub(r"-target \S+", f"-target {BUILT_FOR}", text, count=1)
    return without_bodies(text, folds_constants=name == "Swift")


def without_bodies(text, folds_constants):
    lines, result = text.splitlines(), []
    folded = narrowed = False
    index = 0
    while index < len(lines):
        line = lines[index]
        stripped = line.strip()
        indentation = line[:len(line) - len(line.lstrip())]
        if not indentation and stripped.endswith("{"):
            match = FOLDED.search(line)
            folded = bool(match)
            narrowed = bool(match) and match[1] in ["Int", "UInt"]
        elif line.startswith("}"):
            folded = narrowed = False
        end = end_of_body(lines, index) if has_body(stripped) else index
        text = lines[index:end + 1]
        if narrowed:
            text = [with_32_bits(line) for line in text]
        kept = (folds_constants and folded and indentation == "  " and "@_transparent" in stripped
                and not CONVERTS.search("\n".join(lines[index:end + 1])))
        if has_body(stripped) and not kept:
            text = [ASKS_FOR_BODY.sub("", text[0].rstrip()[:-1].rstrip())]
        elif not stripped.endswith("{"):
            text = [ASKS_FOR_BODY.sub("", text[0])]
        result += text
        index = end + 1
    return "\n".join(result) + "\n"


def has_body(line):
    if not line.endswith("{") or line.startswith("//"):
        return False
    bare = re.sub(r"@\w+\([^)]*\)", "", line)
    if DECLARES_TYPE.search(bare.split("(")[0]):
        return False
    return bool(DECLARES_FUNCTION.search(bare) or ACCESSOR.match(line))


def end_of_body(lines, index):
    depth = 0
    while True:
        bare = re.sub(r'"(?:\\.|[^"\\])*"', "", lines[index]).split("//")[0]
        depth += bare.count("{") - bare.count("}")
        if depth <= 0:
            return index
        index += 1


def with_32_bits(line):
    return re.sub(r"(?<=[._])Int64(?=\b|_)", "Int32", line) if "Builtin" in line else line
