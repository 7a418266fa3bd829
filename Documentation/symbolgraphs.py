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
    return {module: extract(module, products, folder / module) for module in MODULES}


def emit_adapters(folder, frameworks=("AppKit", "SwiftUI", "UIKit")):
    """The same for AsyncStateUI, built against each of the stand-ins: a folder for each of these."""
    folders = {}
    for framework in frameworks:
        scratch = PACKAGE / ".build" / "ci" / "Platforms" / framework
        build = ["swift", "build", "--package-path", PACKAGE / "Tests" / "Platforms" / framework, "--scratch-path", scratch,
                 "-debug-info-format", "none"]  # fmt: skip
        if subprocess.run(build + ["--quiet", "--target", "AsyncStateUI"]).returncode != 0:
            sys.exit(f"AsyncStateUI does not build against the stand-in for {framework}.")
        folders[f"AsyncStateUI, {framework}"] = extract(
            "AsyncStateUI", Path(output(build + ["--show-bin-path"])), folder / framework)
    return folders


def extract(module, products, folder):
    target = json.loads(output(["swift", "-print-target-info"]))["target"]["triple"]
    sdk = ["-sdk", output(["xcrun", "--show-sdk-path"])] if platform.system() == "Darwin" else []
    folder.mkdir(parents=True)
    subprocess.run(
        ["swift", "symbolgraph-extract", "-module-name", module, "-I", products / "Modules", "-target", target]
        + sdk
        + ["-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir", folder],
        check=True,
    )
    return folder


def output(command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
