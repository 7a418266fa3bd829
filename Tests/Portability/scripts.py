"""What is found in scripts: what only Linux has, or what is too new for the shell and the Python of macOS."""

import ast
import re
import subprocess

# Each with what to do instead.
GNU = [
    (r"\bsed\b[^|;&]* -(?:i|[a-hj-zE]+i)(?=\s|$)", "sed -i needs a suffix elsewhere: -i.bak"),
    (r"\bsed\b[^|;&]* (?:-r|--\w+)\b", "GNU's sed only: -E, and short options"),
    (r"\bgrep\b[^|;&]* (?:-\w*P|--perl-regexp|--include|--exclude)", "GNU's grep only"),
    (r"\breadlink\b -\w*[fem]", "readlink -f: pwd -P in the folder"),
    (r"\bstat\b (?:-c|--format|--printf)", "GNU's stat only"),
    (r"\bdate\b[^|;&]* (?:-d|--date|--iso\S*|\+\S*%N)", "GNU's date only"),
    (r"\bfind\b[^|;&]* -(?:printf|regextype|executable)\b", "GNU's find only"),
    (r"\bfind\s+-", "find needs a folder elsewhere"),
    (r"\bxargs\b[^|;&]* (?:-r|-d|--\w+)", "GNU's xargs only"),
    (r"\bhead\b[^|;&]* -n\s*-\d", "GNU's head only"),
    (r"\bcp\b[^|;&]* (?:--\w+|-t)\b", "GNU's cp only"),
    (r"\bmktemp\b[^|;&]* (?:--\w+|-p)\b", "GNU's mktemp only: mktemp -d"),
    (r"\b(?:ls|ln|du|wc|tar|sort|base64)\b[^|;&]* (?:--\w+|-w\d)", "a long option that only GNU's tools have"),
    (r"\bln\b[^|;&]* -\w*[rT]", "GNU's ln only"),
    (r"(?:^|[|;&(]|\$\()\s*(?:tac|nproc|timeout|setsid|sha256sum|md5sum|free|ldd|taskset)\b", "only Linux has this command"),
    (r"\becho -e\b", "echo -e: printf"),
]
BASH_4 = [
    (r"\b(?:declare|local|typeset) -\w*[An]", "bash 4: maps and references to names"),
    (r"\b(?:mapfile|readarray|coproc)\b", "bash 4: while read"),
    (r"\$\{\w+(?:\[[^\]]*\])?(?:,|\^)", "bash 4: tr"),
    (r"\$\{\w+(?:\[[^\]]*\])?@[QEPAa]\}", "bash 4.4"),
    (r"\$\{\w+\[-\d+\]", "bash 4.3: indices from the end"),
    (r"\|&|&>>|;;&|;&", "bash 4: 2>&1"),
    (r"\bwait -n\b", "bash 4.3: wait for a process by its number"),
    (r"\bshopt -s \w*(?:globstar|lastpipe|inherit_errexit)", "bash 4"),
    (r"\$\{?(?:EPOCH\w+|BASHPID|SRANDOM)\b", "bash 4 or 5"),
    (r"\bprintf [^|;&]*%\(", "bash 4.2: date"),
    (r"(?<![+\-])[\"\s]\$\{(\w+)\[[@*]\]\}", "bash 3.2 stops at an empty array under set -u: ${a[@]+\"${a[@]}\"}"),
]
# Only for what says that it runs on Linux alone, or asks what it runs on.
LINUX_IN_SHELL = [
    (r"\bapt-get (?!.*\|\|)", "only Debian has apt-get: ask for the system first"),
    (r"(?<!install_missing )\bvalgrind\b", "there is no valgrind on macOS: ask for the system first"),
]
LINUX_IN_PYTHON = [
    (r"\.xctest\b", "a bundle on macOS, and no program"),
    (r"[\"'](?:valgrind|apt-get)[\"']", "there is none on macOS: ask for the system first"),
    (r"\bRLIMIT_AS\b", "macOS does not know this limit"),
    (r"(?<!def )\bos\.sched_\w+", "only Linux has this function"),
]
ASKS_FOR_SYSTEM = re.compile(r"shutil\.which\(|sys\.platform|platform\.system\(\)|\$\(uname\b|hasattr\(os, \"sched_")
# Python 3.10 and later, beside what its grammar shows.
NEW_IN_PYTHON = [
    (r"\.total\(\)", "Python 3.10: sum(counter.values())"),
    (r"\bzip\([^()]*(?:\([^()]*\)[^()]*)*strict=", "Python 3.10: zip has no strict"),
    (r"\b(?:pairwise|batched|tomllib|ExceptionGroup|StrEnum|file_digest|TaskGroup)\b", "Python 3.10 or later"),
    (r"\bdatetime\.UTC\b", "Python 3.11"),
    (r"\bcontextlib\.chdir\b", "Python 3.11"),
    (r"delete_on_close=|ignore_cleanup_errors=", "Python 3.10 or later"),
]
# Where a name that is no text is given to a file, macOS refuses it.
MAKES_FILE = re.compile(r"\b(?:open|mkdir|makedirs|symlink|rename)\(")


def findings(root, without):
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True, text=True).stdout
    for name in listed.split("\0"):
        file = root / name
        if name and file.is_file() and without not in file.parents and file.parent != without.parent:
            yield from findings_in(file)


def findings_in(file):
    kind = kind_of(file)
    text = file.read_text() if kind else ""
    if kind == "shell":
        yield from shell_findings(file, text)
    if kind == "python":
        yield from python_findings(file, text)


def kind_of(file):
    if file.suffix in [".sh", ".py"]:
        return {".sh": "shell", ".py": "python"}[file.suffix]
    if file.suffix or file.stat().st_size > 1_000_000:
        return None
    with open(file, "rb") as opened:
        first = opened.readline().decode(errors="replace")
    if re.match(r"#!.*\bpython", first):
        return "python"
    # What is read by another script has no first line of its own.
    return "shell" if re.match(r"#!.*\b(?:ba|z|da)?sh\b", first) or file.parent.name == ".ci" else None


def shell_findings(file, text):
    rules = GNU + BASH_4 + ([] if ASKS_FOR_SYSTEM.search(text) else LINUX_IN_SHELL)
    for number, line in enumerate(text.splitlines(), start=1):
        code = re.sub(r"(?:^|\s)#.*", "", line)
        # The one way that 3.2 knows for an array that may be empty.
        code = re.sub(r"\$\{(\w+)\[@\]\+\"\$\{\1\[@\]\}\"\}", "", code)
        for pattern, message in rules:
            if re.search(pattern, code):
                yield file, number, message


def python_findings(file, text):
    try:
        tree = ast.parse(text, feature_version=(3, 9))
    except SyntaxError as error:
        yield file, error.lineno, f"newer than Python 3.9: {error.msg}"
        return
    asks = ASKS_FOR_SYSTEM.search(text)
    rules = NEW_IN_PYTHON + ([] if asks else LINUX_IN_PYTHON)
    for number, line in enumerate(text.splitlines(), start=1):
        for pattern, message in rules:
            if re.search(pattern, re.sub(r"(?:^|\s)# .*", "", line)):
                yield file, number, message
    yield from names_that_are_no_text(file, tree, text)


def names_that_are_no_text(file, tree, text):
    """Functions that give files such names, and are not left out on macOS."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        whole = ast.get_source_segment(text, function)
        is_left_out = any("skip" in ast.unparse(decorator) for decorator in function.decorator_list)
        if has_bytes_that_are_no_text(function) and MAKES_FILE.search(whole) and not is_left_out:
            yield file, function.lineno, "macOS has no file names that are no text: skip this there"


def has_bytes_that_are_no_text(function):
    for node in ast.walk(function):
        if isinstance(node, ast.Constant) and isinstance(node.value, bytes):
            try:
                node.value.decode()
            except UnicodeDecodeError:
                return True
    return False
