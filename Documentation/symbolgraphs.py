# SPDX-License-Identifier: MIT
"""What the scripts beside this file have in common: the package, and what its modules declare."""

import json
import platform
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
MODULES = ["AsyncState", "AsyncStateLists", "AsyncStateJournal", "AsyncStateTesting"]


def emit(folder):
    """Builds the modules and writes the symbol graph of each into a folder of its own, which this gives."""
    build = ["swift", "build", "--package-path", PACKAGE]
    if any(subprocess.run(build + ["--quiet", "--target", module]).returncode != 0 for module in MODULES[1:]):
        sys.exit("The library does not build.")
    products = Path(output(build + ["--show-bin-path"]))
    target = json.loads(output(["swift", "-print-target-info"]))["target"]["triple"]
    sdk = ["-sdk", output(["xcrun", "--show-sdk-path"])] if platform.system() == "Darwin" else []
    folders = {}
    for module in MODULES:
        folders[module] = folder / module
        folders[module].mkdir(parents=True)
        subprocess.run(
            ["swift", "symbolgraph-extract", "-module-name", module, "-I", products / "Modules", "-target", target]
            + sdk
            + ["-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir", folders[module]],
            check=True,
        )
    return folders


def output(command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
